"""Who may see the page: only those who have the token of the printed address, and only by a name of this machine.

A request needs
  a Host header that names the loopback: a page elsewhere whose name was made to point to 127.0.0.1 sends its own name;
  the token: in the address at first, from then on in a cookie that no script reads and no other site sends;
  no Origin header but the page's own: a page of another local port may not open the websocket."""

import hmac
import secrets
import urllib.parse

from aiohttp import web

_LOOPBACK = {"127.0.0.1", "localhost", "::1"}


class Guard:
    def __init__(self):
        self.token = secrets.token_urlsafe(24)

    def address(self, port):
        return f"http://127.0.0.1:{port}/?token={self.token}"

    def protect(self, application):
        """Every request to the application of aiohttp comes through here, websockets too."""
        application.middlewares.insert(0, self._middleware())

    def _has(self, text):
        return hmac.compare_digest((text or "").encode(), self.token.encode())

    def _refusal(self, request):
        host = request.headers.get("Host", "")
        if _name(host) not in _LOOPBACK:
            return f"the host '{host}' is not this machine, expected 127.0.0.1 or localhost"
        origin = request.headers.get("Origin")
        if origin is not None and urllib.parse.urlsplit(origin).netloc != host:
            return f"a page of '{origin}' may not use this one"
        if not self._has(request.query.get("token")) and not self._has(request.cookies.get(_cookie(host))):
            return "the token is missing or wrong: open the address that hodge view has printed"
        return ""

    def _middleware(self):
        @web.middleware
        async def check(request, handler):
            refusal = self._refusal(request)
            if refusal:
                return web.Response(status=403, text=f"hodge view: {refusal}\n")
            if "token" in request.query and request.path in ("/", "/index.html"):
                response = web.HTTPFound("/index.html")  # without the token, which a history would keep
                response.set_cookie(_cookie(request.headers["Host"]), self.token, httponly=True, samesite="Strict")
                raise response
            return await handler(request)
        return check


def _name(host):
    try:
        return urllib.parse.urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""


def _cookie(host):
    """Cookies are those of a name with all its ports: two views beside one another have two."""
    return "hodge_view_" + "".join(c if c.isalnum() else "_" for c in host)
