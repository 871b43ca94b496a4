"""hodge view RUN: a page in the browser that shows a run and follows it while it writes.

The picture is drawn here, without a display, by PyVista, and sent to the browser by trame (`pip install hodge[view]`).
guard: who may connect. scene: the picture. curves: histories and forces. page: what the user sees and sets."""
