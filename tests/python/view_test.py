"""hodge view: the page follows a run that writes, a click changes the picture, and nobody without the token sees it.

Skipped where PyVista and trame are not installed; what a browser sees also without Chromium and playwright. With
HODGE_VIEW_PICTURES=FOLDER its pictures stay there."""

import http.client
import io
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

try:
    import aiohttp  # noqa: F401, comes with trame
    import pyvista  # noqa: F401
    import trame_vtk  # noqa: F401
    import trame_vuetify  # noqa: F401
    import numpy
    import hodge
    from hodge.view.curves import GrowingTable, thinned
    from hodge.view.scene import Scene, can_draw, quantities
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)

if not can_draw():
    print("skipped: VTK has no library to draw with")
    sys.exit(77)

CHROMIUM = next(filter(None, map(shutil.which, ("chromium-headless-shell", "chromium", "google-chrome"))), None)
CHANNEL = """case: custom
grid: {cells: [24, 12, 12], upper: [2, 1, 1]}
fluid: {viscosity: 0.01}
boundaries:
  x_lower: {kind: inflow, velocity: [1, 0, 0]}
  x_upper: outflow
solids: {post: {box: {lower: [0.5, 0.25, 0.25], upper: [0.75, 0.75, 0.75]}}}
forces: {speed: 1, area: 0.25}
time: {end: 100, step: {size: 0.02}}
output: {frames: {every: 0.04}, fields: [velocity, pressure, solid]}
device: cpu
"""


def end(process):
    process.terminate()
    process.wait(timeout=60)


class Viewed:
    """One run that goes on, and a view of it."""

    form, collection = "xml", "channel.pvd"

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.path = pathlib.Path(cls.folder.name)
        (cls.path / "channel.yaml").write_text(CHANNEL)
        cls.flow = subprocess.Popen([str(hodge.program()), "run", "channel.yaml", "--output", "run", "--quiet", "--set",
                                     f"output.format={cls.form}"], cwd=cls.path, env=os.environ | {"OMP_NUM_THREADS": "1"})
        cls.addClassCleanup(end, cls.flow)
        while not (cls.path / "run" / cls.collection).exists() and cls.flow.poll() is None:
            time.sleep(0.1)
        cls.view = subprocess.Popen([str(hodge.program()), "view", "run"], cwd=cls.path, stdout=subprocess.PIPE, text=True,
                                    env=os.environ | {"HODGE_PYTHON": sys.executable, "TRAME_DEFAULT_HOST": "0.0.0.0"})
        cls.addClassCleanup(cls.view.stdout.close)
        cls.addClassCleanup(end, cls.view)
        cls.address = cls.view.stdout.readline().strip()
        cls.port, cls.token = re.fullmatch(r"http://127\.0\.0\.1:(\d+)/\?token=([\w-]{32})", cls.address).groups()

    @classmethod
    def tearDownClass(cls):
        cls.doClassCleanups()
        cls.folder.cleanup()

    def ask(self, path, host=None, **headers):
        connection = http.client.HTTPConnection("127.0.0.1", int(self.port), timeout=30)
        connection.request("GET", path, headers={"Host": host or f"127.0.0.1:{self.port}", **headers})
        answer = connection.getresponse()
        text = answer.read().decode(errors="replace")
        connection.close()
        return answer, text

    def cookie(self):
        return self.ask(f"/?token={self.token}")[0].getheader("Set-Cookie")

    def websocket(self, host=None, **headers):
        return self.ask("/ws", host, Connection="Upgrade", Upgrade="websocket",
                        **{"Sec-WebSocket-Version": "13", "Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA=="}, **headers)

    def test_in_a_browser(self):
        try:
            from playwright.sync_api import sync_playwright
        except ImportError as error:
            self.skipTest(str(error))
        if CHROMIUM is None:
            self.skipTest("no Chromium")
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
            page = browser.new_page(viewport={"width": 1400, "height": 800})
            page.goto(self.address)
            page.wait_for_function("document.querySelector('.shown')?.innerText.startsWith('t =')")
            page.wait_for_selector(".curves svg")
            page.wait_for_timeout(2000)
            first = page.inner_text(".status")
            self.assertIn("running", first)
            self.assertEqual(page.locator(".curves svg").count(), 1)
            before = self.picture(page, "velocity")
            page.wait_for_function("before => document.querySelector('.status').innerText !== before", arg=first)
            page.click("text=follow the run")  # from here on a frame stays
            stays = None
            for _ in range(20):  # a machine that is busy hears of it late
                before_it, stays = stays, page.inner_text(".shown").split(" of ")[0]
                if stays == before_it:
                    break
                page.wait_for_timeout(3000)
            still = self.picture(page, "still")
            page.click(".field")
            page.click(".v-list-item:has-text('pressure')")
            for _ in range(60):
                page.wait_for_timeout(500)
                after = self.picture(page, "pressure")
                if numpy.abs(after - still).mean() > 2:
                    break
            self.assertEqual(page.inner_text(".shown").split(" of ")[0], stays)
            browser.close()
        self.assertGreater(before.std(), 10)  # something is drawn
        self.assertGreater(numpy.abs(after - still).mean(), 2)
        self.assertNotIn("token", page.url)

    def picture(self, page, name):
        from PIL import Image
        data = page.screenshot()
        if "HODGE_VIEW_PICTURES" in os.environ:
            (pathlib.Path(os.environ["HODGE_VIEW_PICTURES"]) / f"{name}_{self.form}.png").write_bytes(data)
        return numpy.asarray(Image.open(io.BytesIO(data)).convert("RGB"), dtype=float)[:, 270:970]


class View(Viewed, unittest.TestCase):
    def test_only_the_token_opens_it(self):
        for path in ("/", "/index.html", "/index.html?token=", f"/?token={self.token[:-1]}", "/ws"):
            answer, text = self.ask(path)
            self.assertEqual((answer.status, "the token is missing or wrong" in text), (403, True), path)
        self.assertEqual(self.websocket()[0].status, 403)
        self.assertEqual(self.websocket(Cookie="hodge_view_127_0_0_1=" + self.token)[0].status, 403)

    def test_the_token_becomes_a_cookie(self):
        answer, _ = self.ask(f"/?token={self.token}")
        self.assertEqual((answer.status, answer.getheader("Location")), (302, "/index.html"))
        cookie = answer.getheader("Set-Cookie")
        self.assertIn("HttpOnly", cookie)
        self.assertIn("SameSite=Strict", cookie)
        answer, text = self.ask("/index.html", Cookie=cookie.split(";")[0])
        self.assertEqual((answer.status, "<html" in text), (200, True))

    def test_a_foreign_host_is_refused(self):
        for host in ("evil.example", f"evil.example:{self.port}", f"127.0.0.1.evil.example:{self.port}", "[", "127.0.0.1@evil.example"):
            for answer, text in (self.ask(f"/?token={self.token}", host), self.websocket(host, Cookie=self.cookie())):
                self.assertEqual((answer.status, "is not this machine" in text), (403, True), host)
        tunnel, _ = self.ask(f"/?token={self.token}", "localhost:1234")
        self.assertEqual(tunnel.status, 302)

    def test_a_page_of_another_port_is_refused(self):
        answer, text = self.websocket(Cookie=self.cookie().split(";")[0], Origin="http://127.0.0.1:1")
        self.assertEqual((answer.status, "may not use this one" in text), (403, True))

    def test_it_listens_on_the_loopback_alone(self):
        listening = [line.split()[1] for name in ("tcp", "tcp6") for line in pathlib.Path(f"/proc/net/{name}").read_text().splitlines()
                     if line.split()[3] == "0A"]
        own = [address for address in listening if int(address.split(":")[1], 16) == int(self.port)]
        self.assertEqual(own, [f"0100007F:{int(self.port):04X}"])


class ViewOfOneFile(Viewed, unittest.TestCase):
    form, collection = "vtkhdf", "channel.vtkhdf"


class Parts(unittest.TestCase):
    def test_the_picture_has_the_values(self):
        """A plane of a box in which the value is x: the colours are those of the middle of its layer."""
        edges = [numpy.linspace(0, 1, 5), numpy.linspace(0, 1, 3), numpy.linspace(0, 2, 9)]
        x = 0.5 * (edges[0][1:] + edges[0][:-1])
        values = numpy.broadcast_to(x[:, None, None], (4, 2, 8)).ravel(order="F").copy()
        scene = Scene()
        limits = scene.show(edges, {"c": (1, values)}, ("c", 0), {"x": 0.6, "z": 1.0}, surface=0.5)
        self.assertEqual(limits, (0.125, 0.875))
        actors = scene.plotter.actors
        plane = actors["plane x"].mapper.dataset
        self.assertEqual(set(plane["value"]), {0.625})
        self.assertEqual(plane.bounds[:2], (0.625, 0.625))
        self.assertAlmostEqual(actors["surface"].mapper.dataset.center[0], 0.5)
        self.assertNotIn("plane y", actors)
        scene.show(edges, {"c": (1, values)}, ("c", 0), {"y": 0.1})
        self.assertNotIn("plane x", scene.plotter.actors)
        self.assertNotIn("surface", scene.plotter.actors)

    def test_bodies_have_no_colour(self):
        edges = [numpy.linspace(0, 1, 3), numpy.linspace(0, 1, 2), numpy.zeros(1)]
        scene = Scene()
        for body in ({"solid": (1, numpy.array([0.0, 1.0]))}, {"open_fraction": (1, numpy.array([1.0, 0.0]))}):
            limits = scene.show(edges, {"velocity": (3, numpy.array([3.0, 4, 0, 9, 9, 9]))} | body, ("velocity", None), {})
            self.assertTrue(numpy.isnan(scene.plotter.actors["plane"].mapper.dataset["value"][1]))
            self.assertTrue(limits[0] < 5 < limits[1])

    def test_quantities(self):
        self.assertEqual(quantities({"p": 1, "u": 3, "other": 2}),
                         {"p": ("p", 0), "u, length": ("u", None), "u, x": ("u", 0), "u, y": ("u", 1), "u, z": ("u", 2)})

    def test_a_table_grows(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "history.csv"
            table = GrowingTable(path)
            self.assertFalse(table.update())
            path.write_text("step,t,energy,kind\n0,0,1,a\n1,0.5,")
            self.assertTrue(table.update())
            self.assertEqual((len(table), table.numeric()), (1, ["energy"]))
            with path.open("a") as file:
                file.write("2,b\n")
            self.assertTrue(table.update())
            self.assertEqual(table["energy"].tolist(), [1, 2])
            self.assertFalse(table.update())
            path.write_text("step,t,energy,kind\n0,0,7,a\n")  # a restart went back
            self.assertTrue(table.update())
            self.assertEqual(table["energy"].tolist(), [7])

    def test_long_curves_keep_their_extremes(self):
        t = numpy.linspace(0, 1, 100_000)
        values = numpy.sin(7 * t)
        values[54_321] = 5
        few, kept = thinned(t, values)
        self.assertLessEqual(len(few), 1000)
        self.assertEqual(kept.max(), 5)
        self.assertTrue((numpy.diff(few) > 0).all())


class Arguments(unittest.TestCase):
    def said(self, *words):
        done = subprocess.run([sys.executable, "-m", "hodge.view", *words], capture_output=True, text=True, timeout=120)
        return done.returncode, done.stderr.strip()

    def test_wrong_ones(self):
        self.assertEqual(self.said("/nowhere"), (2, "hodge view: /nowhere is no directory of a run: there is no config.yaml"))
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "config.yaml").write_text("")
            self.assertEqual(self.said(folder, "--port", "70000"),
                             (2, "hodge view: --port 70000: expected a number from 0 to 65535"))
            hidden = "import runpy, sys; sys.modules['trame'] = None; runpy.run_module('hodge.view', run_name='__main__')"
            done = subprocess.run([sys.executable, "-c", hidden, folder], capture_output=True, text=True, timeout=120)
            self.assertEqual(done.returncode, 4)
            self.assertRegex(done.stderr, r"^hodge view: .*trame.*: pip install 'hodge\[view\]'\n$")


if __name__ == "__main__":
    unittest.main()
