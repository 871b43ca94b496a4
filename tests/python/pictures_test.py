"""What stands in the pictures of plot.py: panels, scales of colours, sizes, labels, words for rounding, chosen names.

Over 400 lines: one set of small runs serves all pictures.
"""

import importlib.util
import re
import struct
import sys
import types
import unittest

from plotting_test import ROOT, TOOLS, InFolder, call, needs_plots, needs_view
from plotting import labels
from plotting.choice import Choice


class WithPictures(InFolder):
    def setUp(self):
        super().setUp()
        import matplotlib.pyplot

        self.addCleanup(matplotlib.pyplot.close, "all")


def texts_of(figure):
    """All words that stand in a picture beside its axes, in its panels and in their titles."""
    return [text.get_text() for text in figure.texts] + [
        text.get_text() for ax in figure.axes for text in [*ax.texts, ax.title] if text.get_text()]


@needs_plots
class FieldsPictures(WithPictures):
    """fields.png of boxes of many shapes."""

    BOXES = {"square": (1, 1), "tall": (1, 5), "wide": (10, 1), "cube": (1, 1, 1), "duct": (10, 1, 1),
             "tower": (1, 1, 6), "slab": (4, 4, 0.5), "channel": (6, 1, 6)}

    def frame(self, sides, count=3, noise=1e-17):
        import numpy

        edges = [numpy.linspace(0, side, 9) for side in sides] + [numpy.array([0.0])] * (3 - len(sides))
        cells = [max(len(e) - 1, 1) for e in edges][::-1]
        x = numpy.arange(8.0).reshape(1, 1, 8) + numpy.zeros(cells)
        random = numpy.random.default_rng(0)
        fields = {"velocity": numpy.stack([x, 0 * x, 0 * x], axis=-1), "pressure": noise * random.standard_normal(cells)}
        fields.update({f"scalar_{k}": x * numpy.arange(cells[0]).reshape(-1, 1, 1) + 1 + x for k in range(count - 2)})
        return types.SimpleNamespace(dim=len(sides), time=0.0, edges=edges, fields=fields,
                                     centres=lambda d: 0.5 * (edges[d][1:] + edges[d][:-1]))

    def pages(self, frame, size=None):
        import matplotlib.pyplot
        from plotting import fields, rounding

        matplotlib.pyplot.close("all")
        return fields.fields_pages(frame, list(frame.fields), rounding.Scales.of_frame(str(self.folder), frame), size)

    def test_pictures_have_at_most_two_thousand_pixels_and_all_fields_are_on_some_page(self):
        for name, sides in self.BOXES.items():
            for count in (3, 10):
                pages = self.pages(self.frame(sides, count))
                panels = 0
                for page in pages:
                    width, height = page.get_size_inches() * 110
                    self.assertLessEqual(max(width, height), 2000, (name, count))
                    self.assertGreaterEqual(min(width, height), 200, (name, count))
                    panels += sum(ax.get_xlabel() != "" for ax in page.axes)
                self.assertEqual(panels, count * (1 if len(sides) == 2 else 3), (name, count))

    def test_planes_of_a_field_share_one_scale_of_colours(self):
        page, = self.pages(self.frame((1, 1, 1), 3))
        limits = {}
        for ax in page.axes:
            for mesh in ax.collections:
                if ax.get_xlabel():
                    limits.setdefault(round(ax.get_position().y0, 3), set()).add(mesh.get_clim())
        self.assertEqual([len(own) for own in limits.values()], [1, 1, 1])

    def test_pictures_of_all_frames_share_one_scale_of_colours(self):
        from plotting import fields, rounding

        frames = [self.frame((1, 1), 2), self.frame((1, 1), 2)]
        frames[1].fields["velocity"] = 10 * frames[1].fields["velocity"]
        scales = rounding.Scales(str(self.folder))
        bounds = fields.common_bounds((frame, ["velocity"], scales) for frame in frames)
        limits = {fields.fields_pages(frame, ["velocity"], scales, None, bounds)[0].axes[0].collections[0].get_clim()
                  for frame in frames}
        self.assertEqual(limits, {(0, 70)})

    def test_bars_are_as_high_as_the_panels_beside_them_and_nothing_lies_over_anything(self):
        for name, sides in self.BOXES.items():
            for page in self.pages(self.frame(sides, 3, 1.0)):
                places = [ax.get_position() for ax in page.axes]
                panels = [place for ax, place in zip(page.axes, places) if ax.get_xlabel()]
                bars = [place for ax, place in zip(page.axes, places) if not ax.get_xlabel()]
                self.assertGreaterEqual(len(bars), 1, name)
                for bar in bars:
                    beside = max((panel for panel in panels if panel.x1 < bar.x0 and abs(panel.y0 - bar.y0) < 1e-6),
                                 key=lambda panel: panel.x1)
                    self.assertAlmostEqual(beside.height, bar.height, places=6, msg=name)
                    gap = (bar.x0 - beside.x1) * page.get_size_inches()[0]
                    self.assertLess(gap, 0.2, f"{name}: a gap of {gap} inches")
                for k, a in enumerate(places):
                    for b in places[k + 1:]:
                        self.assertTrue(a.x1 <= b.x0 or b.x1 <= a.x0 or a.y1 <= b.y0 or b.y1 <= a.y0, name)

    def test_a_panel_has_the_shape_of_its_box(self):
        for name, sides in self.BOXES.items():
            page = self.pages(self.frame(sides, 2))[0]
            width, height = page.get_size_inches()
            for ax in page.axes:
                if ax.get_xlabel():
                    place = ax.get_position()
                    shape = (ax.get_xlim()[1] - ax.get_xlim()[0]) / (ax.get_ylim()[1] - ax.get_ylim()[0])
                    self.assertAlmostEqual(place.width * width / (place.height * height), shape, places=6, msg=name)

    def test_a_field_at_rounding_level_is_grey_and_says_so(self):
        for sides in ((1, 1), (1, 1, 1)):
            page = self.pages(self.frame(sides, 2))[0]
            words = [text for text in texts_of(page) if "zero to rounding (max " in text]
            self.assertEqual(len(words), 1 + (1 if len(sides) == 2 else 3))
            bars = [ax for ax in page.axes if not ax.get_xlabel()]
            self.assertEqual(len(bars), 1, "the speed alone has a bar")

    def test_a_small_field_that_is_data_stays(self):
        page = self.pages(self.frame((1, 1), 2, 1e-6))[0]
        self.assertFalse(any("rounding" in text for text in texts_of(page)))
        self.assertEqual(sum(not ax.get_xlabel() for ax in page.axes), 2)

    def test_the_limits_of_all_values_are_said_and_arrows_only_where_values_lie_beyond(self):
        page = self.pages(self.frame((1, 1), 2))[0]
        self.assertIn("from 0 to 7", texts_of(page))

    def test_a_sharp_body_has_its_outline_by_the_open_parts_of_cells_and_one_of_whole_cells_has_none(self):
        import matplotlib.pyplot
        import numpy
        from plotting import fields

        frame = self.frame((4.0, 4.0))
        centres = [numpy.asarray(frame.centres(d)) for d in (0, 1)]
        distance = numpy.hypot(centres[0][None, :] - 2, centres[1][:, None] - 2) - 1.3
        width = float(centres[0][1] - centres[0][0])
        open_part = numpy.clip(0.5 + distance / width, 0, 1)[None]
        self.assertIsNone(fields.level_of_bodies(frame))
        frame.fields["open_fraction"] = (open_part > 0.5).astype(float)
        self.assertIsNone(fields.level_of_bodies(frame))
        frame.fields["open_fraction"] = open_part
        _, ax = matplotlib.pyplot.subplots()
        fields.draw_bodies(ax, frame, fields.planes(frame)[0])
        lines = [path.vertices for drawn in ax.collections for path in drawn.get_paths() if len(path.vertices) > 8]
        radii = numpy.hypot(*(numpy.concatenate(lines) - 2).T)
        self.assertLess(abs(radii - 1.3).max(), 0.15 * width)

    def test_labels_have_units(self):
        page = self.pages(self.frame((1, 1), 2))[0]
        self.assertIn("speed [L/T]", texts_of(page))
        self.assertIn("pressure [M/(L T\u00b2)]", texts_of(page))


@unittest.skipUnless(importlib.util.find_spec("numpy"), "python3-numpy is not installed")
class Rounding(InFolder):
    def scales(self, history="", config="", **words):
        from plotting import rounding

        (self.folder / "history.csv").write_text(history)
        (self.folder / "config.yaml").write_text(config)
        return rounding.Scales(str(self.folder), **words)

    def test_the_unit_of_speed_of_a_run_changes_nothing(self):
        from plotting import rounding

        for unit in (1e-9, 1.0, 1e9):
            scales = self.scales(f"step,t,max_speed\n0,0,{3 * unit}\n1,1,{2 * unit}\n", sides=[1.0, 1.0], cell=0.1)
            self.assertEqual(rounding.note([1e-16 * unit], scales.of("velocity")),
                             f"zero to rounding (max {1e-16 * unit:.1g})")
            self.assertEqual(rounding.note([1e-6 * unit, 0], scales.of("velocity")), "")
            self.assertEqual(rounding.note([1e-12 * unit**2, 0], scales.of("pressure")),
                             f"zero to rounding (max {1e-12 * unit**2:.1g})")
            self.assertEqual(rounding.note([1e-11 * unit**2, 0], scales.of("pressure")), "")

    def test_what_a_solver_leaves_of_the_pressure_is_no_data(self):
        from plotting import rounding

        history = "step,t,max_speed\n0,0,1\n1,1,1\n"
        for tolerance, noise in (("1.0e-08", 1e-9), ("1e-10", 1e-11), ("0.001", 1e-9)):
            config = f"solvers:\n  pressure:\n    method: cg\n    tolerance: {tolerance}\n  transport:\n    tolerance: 1\n"
            scales = self.scales(history, config, sides=[1.0, 1.0], cell=0.1)
            self.assertIn("zero to rounding", rounding.note([noise, 0], scales.of("pressure")))
            self.assertEqual(rounding.note([200 * noise, 0], scales.of("pressure")), "")

    def test_a_fluid_at_rest_is_measured_by_its_viscosity_or_by_the_time_of_the_run(self):
        from plotting import rounding

        history = "step,t,max_speed\n0,0,0\n1,1,1e-17\n"
        for config in ("fluid:\n  viscosity: 0.01\n", "time:\n  end: 100\n"):
            scales = self.scales(history, config, sides=[1.0, 1.0], cell=0.1)
            self.assertEqual(rounding.note([1e-17, 0], scales.of("velocity")), "zero to rounding (max 1e-17)")
            self.assertEqual(rounding.note([1e-9, 0], scales.of("velocity")), "")

    def test_a_scalar_is_measured_by_its_own_history(self):
        from plotting import rounding

        scales = self.scales("step,t,c_minimum,c_maximum\n0,0,0,1e-8\n1,1,0,0\n")
        self.assertEqual(rounding.note([1e-22, 0], scales.of("c")), "zero to rounding (max 1e-22)")
        self.assertEqual(rounding.note([1e-15, 0], scales.of("c")), "")
        self.assertEqual(rounding.note([1e-15, 0], scales.of("unknown")), "")

    def test_stresses_of_small_fluctuations_are_data(self):
        from plotting import rounding

        scales = self.scales("step,t,max_speed\n0,0,1\n")
        self.assertEqual(rounding.note([1e-14, 0], scales.of("reynolds_stress")), "")
        self.assertIn("zero to rounding", rounding.note([1e-30, 0], scales.of("reynolds_stress")))

    def test_constants_are_said(self):
        from plotting import rounding

        self.assertEqual(rounding.note([2.0, 2.0], 1.0), "2 everywhere")
        self.assertEqual(rounding.note([0.0, 0.0], 1.0), "zero everywhere")
        self.assertEqual(rounding.note([1.0, 1 + 4e-16], 1.0), "1 to rounding (\u00b1 2e-16)")
        self.assertEqual(rounding.note([1.0, 1.001], 1.0), "")


class Fields(unittest.TestCase):
    """The names of --fields."""

    def test_a_name_chooses_itself_and_columns_that_begin_with_it_in_the_order_of_the_names(self):
        choice = Choice(["temperature", "velocity"])
        self.assertEqual(choice.of("frames", ["velocity", "pressure", "temperature"]), ["temperature", "velocity"])
        self.assertEqual(choice.of("history.csv", ["temperature_maximum", "temperatures", "u_iterations", "u"]),
                         ["temperature_maximum", "u"])
        self.assertEqual(Choice(["u_iterations"]).of("history.csv", ["u_iterations", "u"]), ["u_iterations"])
        choice.check()

    def test_an_unknown_name_is_refused_with_the_known_ones(self):
        choice = Choice(["pressure", "presure"])
        choice.of("frames", ["velocity", "pressure"])
        choice.of("sweep.csv", ["kinetic_energy"])
        with self.assertRaisesRegex(ValueError, "^--fields: presure is no field and no column, known: "
                                                "frames: velocity, pressure; sweep.csv: kinetic_energy$"):
            choice.check()


@needs_plots
class Tables(WithPictures):
    def options(self, *names):
        return types.SimpleNamespace(run=str(self.folder), fields=list(names), size=None)

    def pages(self, plan, *names):
        """The figures of each picture of a table."""
        return {name: draw() for name, draw in plan(self.options(*names), Choice(list(names)))}

    def panels(self, pages):
        return [ax for page in pages for ax in page.axes if ax.get_xlabel()]

    def sweep_of(self, quantities):
        columns = ",".join(f"{name},{name}_mean,{name}_rms" for name in quantities)
        head = f"run,reynolds,cells,status,exit_code,end,steps,t,seconds,from,to,{columns},message\n"
        done = ",".join(["0.3,0.2,0.01"] * len(quantities))
        failed = ",".join([",,"] * len(quantities))
        (self.folder / "sweep.csv").write_text(head + "".join(
            f'"reynolds={re},cells={n}x{n}",{re},"[{n}, {n}]",completed,0,time.end,9,1,2,0.5,1,{done},\n'
            for n, re in ((8, 50), (8, 100), (9, 50))) +
            f'"reynolds=100,cells=9x9",100,"[9, 9]",failed,3,,,,,,,{failed},it blew up\n')

    def test_a_sweep_has_a_curve_for_each_combination_and_says_what_failed(self):
        from plotting import sweeps

        self.sweep_of(["kinetic_energy"])
        (picture,), = self.pages(sweeps.sweep).values()
        ax, = picture.axes
        labels = [text.get_text() for text in ax.get_legend().get_texts()]
        self.assertEqual(sorted(labels), ["cells = [8, 8] at the end", "cells = [8, 8] mean, rms",
                                          "cells = [9, 9] at the end", "cells = [9, 9] mean, rms"])
        self.assertEqual(ax.get_xlabel(), "reynolds")
        self.assertEqual(ax.get_title(), "kinetic_energy [L\u2075/T\u00b2]")
        self.assertEqual(picture._suptitle.get_text(), "1 of 4 runs are not completed")

    def test_every_quantity_of_a_sweep_has_a_panel(self):
        from plotting import sweeps

        self.sweep_of([f"q{k}" for k in range(40)])
        pages = self.pages(sweeps.sweep)["sweep.png"]
        self.assertEqual([ax.get_title() for ax in self.panels(pages)], [f"q{k}" for k in range(40)])
        for page in pages:
            self.assertLessEqual(max(page.get_size_inches()) * 110, 2000)

    def test_fields_chooses_the_quantities_of_a_sweep(self):
        from plotting import sweeps

        self.sweep_of([f"q{k}" for k in range(40)])
        pages = self.pages(sweeps.sweep, "q39", "q2")["sweep.png"]
        self.assertEqual([ax.get_title() for ax in self.panels(pages)], ["q39", "q2"])

    def test_a_sweep_over_texts_is_drawn_too(self):
        from plotting import sweeps

        (self.folder / "sweep.csv").write_text(
            "run,scheme,status,exit_code,end,steps,t,seconds,from,to,e,e_mean,e_rms,message\n"
            "a,bdf2,completed,0,time.end,9,1,2,0.5,1,1,2,0.1,\nb,rk3,completed,0,time.end,9,1,2,0.5,1,3,2,0.1,\n")
        (picture,), = self.pages(sweeps.sweep).values()
        picture.draw_without_rendering()
        self.assertEqual([text.get_text() for text in picture.axes[0].get_xticklabels()], ["bdf2", "rk3"])

    def test_a_folder_without_fields_says_so(self):
        (self.folder / "curves.csv").write_text("figure,x_label,y_label,scale,curve,kind,x,y\na,x,y,linear,b,measured,0,1\n")
        result = call(sys.executable, TOOLS / "plot.py", ".", "--fields", "a", folder=self.folder)
        self.assertEqual(result.returncode, 2)
        self.assertIn("nothing from which --fields could choose", result.stderr)

    def test_plot_py_writes_all_pages_and_refuses_unknown_names_before_it_writes(self):
        self.sweep_of([f"q{k}" for k in range(40)])
        result = call(sys.executable, TOOLS / "plot.py", ".", "--fields", "q1,nothing", folder=self.folder)
        self.assertEqual(result.returncode, 2)
        self.assertRegex(result.stderr,
                         "^plot.py: --fields: nothing is no field and no column, known: sweep.csv: q0, .*q39\n$")
        self.assertFalse((self.folder / "plots").exists())
        self.assertEqual(call(sys.executable, TOOLS / "plot.py", ".", folder=self.folder).returncode, 0)
        pages = sorted(file.name for file in (self.folder / "plots").iterdir())
        self.assertEqual(pages, ["sweep-2.png", "sweep-3.png", "sweep.png"])
        call(sys.executable, TOOLS / "plot.py", ".", "--fields", "q1", folder=self.folder)
        self.assertEqual([file.name for file in (self.folder / "plots").iterdir()], ["sweep.png"])

    def test_profiles_become_means_fluctuations_stresses_and_fluxes(self):
        from plotting import points

        (self.folder / "history.csv").write_text("step,t,max_speed,c_minimum,c_maximum\n0,0,1,0,1\n")
        (self.folder / "profiles.csv").write_text(
            "y,u_mean,v_mean,pressure_mean,c_mean,u_rms,v_rms,u_v_covariance,c_rms,u_c_covariance,v_c_covariance\n"
            "0.25,1,0,1e-18,0,0.1,0.2,-0.01,0.1,0.01,0.02\n0.75,2,0,3e-17,1,0.2,0.1,-0.02,0.2,0.02,0.01\n")
        pages = self.pages(points.profiles)["profiles.png"]
        panels = {ax.get_title(): ax for ax in self.panels(pages)}
        self.assertEqual(list(panels), [
            "mean velocity [L/T]", "mean pressure [M/(L T\u00b2)]", "mean c", "rms of the fluctuations of velocity [L/T]",
            "Reynolds stresses [L\u00b2/T\u00b2]", "rms of the fluctuations of c", "turbulent flux of c [c L/T]"])
        self.assertEqual({ax.get_xlabel() for ax in panels.values()}, {"y [L]"})
        stress = panels["Reynolds stresses [L\u00b2/T\u00b2]"]
        self.assertEqual(list(stress.lines[0].get_ydata()), [-0.01, -0.02])
        self.assertEqual([text.get_text() for text in stress.get_legend().get_texts()], ["mean of u' v'"])
        pressure = panels["mean pressure [M/(L T\u00b2)]"]
        self.assertEqual([text.get_text() for text in pressure.texts], ["zero to rounding (max 3e-17)"])
        self.assertEqual(len(pressure.lines), 0)
        pages = self.pages(points.profiles, "velocity")["profiles.png"]
        self.assertEqual(len(self.panels(pages)), 4)

    def test_profiles_have_the_budget_without_units_of_the_wall_and_errors(self):
        from plotting import points

        (self.folder / "profiles.csv").write_text(
            "y,u_mean,k_production,k_viscous_diffusion,y_plus,u_mean_plus,k_production_plus,u_mean_error,k_production_error\n"
            "0.25,1,3,-1,10,9,0.2,0.1,0.2\n0.75,2,1,-2,30,12,0.1,0.1,0.2\n")
        panels = {ax.get_title(): ax for ax in self.panels(self.pages(points.profiles)["profiles.png"])}
        self.assertEqual(list(panels), ["mean velocity [L/T]", "budget of the energy of fluctuations [L\u00b2/T\u00b3]"])
        budget = panels["budget of the energy of fluctuations [L\u00b2/T\u00b3]"]
        self.assertEqual([text.get_text() for text in budget.get_legend().get_texts()], ["production", "viscous diffusion"])

    def test_lines_say_how_many_of_their_times_are_drawn(self):
        from plotting import points

        (self.folder / "lines").mkdir()
        (self.folder / "lines/a.csv").write_text("t,s,x,y,u\n" + "".join(f"{t},{s},0,0,{t * s}\n" for t in range(40)
                                                                      for s in range(3)))
        page, = self.pages(points.probes)["lines_a.png"]
        self.assertEqual(len(page.axes[0].lines), 6)
        self.assertEqual(page._suptitle.get_text(), "6 of 40 times")

    def test_columns_at_rounding_level_say_so_over_the_time_of_the_run(self):
        from plotting import points

        (self.folder / "history.csv").write_text("step,t,max_speed\n0,0,1\n")
        (self.folder / "probes.csv").write_text("step,t,a_u,a_v,a_pressure\n0,0,1,1e-17,1\n1,5,1,-2e-17,1.0000000000000002\n")
        page, = self.pages(points.probes)["probes.png"]
        u, v, pressure = page.axes
        self.assertEqual([text.get_text() for text in v.texts], ["zero to rounding (max 2e-17)"])
        self.assertEqual((len(v.lines), v.get_xlim()), (0, (0, 5)))
        self.assertEqual(len(u.lines), 1)
        self.assertEqual([text.get_text() for text in pressure.texts], ["1 to rounding (\u00b1 1e-16)"])
        self.assertGreater(pressure.get_ylim()[1] - pressure.get_ylim()[0], 0.09)

    def test_columns_of_zeros_have_no_logarithmic_axis(self):
        from plotting import tables

        (self.folder / "history.csv").write_text("step,t,max_divergence\n0,0,0\n1,1,0\n")
        page, = self.pages(tables.history)["history.png"]
        self.assertEqual(page.axes[0].get_yscale(), "linear")
        self.assertEqual(list(page.axes[0].lines[0].get_ydata()), [0, 0])

    def test_forces_say_which_of_them_the_axis_leaves_out(self):
        from plotting import tables

        (self.folder / "forces.csv").write_text("step,t,b_drag\n" + "".join(
            f"{k},{k},{1000 if k == 0 else 1 + 0.1 * (k % 2)}\n" for k in range(100)))
        page, = self.pages(tables.forces)["forces.png"]
        self.assertRegex(page.axes[0].get_title(), "before t = 5 also 1 to 1e\\+03")

    def test_covariances_of_averages_and_fields_of_probes_with_long_names_have_panels(self):
        from plotting import points

        (self.folder / "history.csv").write_text("step,t,my_dye_minimum,my_dye_maximum\n0,0,0,1\n")
        (self.folder / "probes.csv").write_text("step,t,a_b_vorticity_x,a_b_my_dye\n0,0,1,0\n1,1,2,1\n")
        page, = self.pages(points.probes)["probes.png"]
        self.assertEqual([ax.get_title() for ax in self.panels([page])], ["vorticity_x", "my_dye"])
        self.assertEqual([ax.get_ylabel() for ax in self.panels([page])], ["[1/T]", ""])
        (self.folder / "averages.csv").write_text("name,s,x,y,from,to,u_mean,u_rms,v_mean,v_rms,u_v_covariance\n"
                                                  "w,0,1,1,5,9,1,0.1,1,0.1,0.01\n")
        page, = self.pages(points.averages)["averages.png"]
        self.assertEqual([ax.get_title() for ax in page.axes if ax.get_title()][-1:], ["mean of u' v' [L\u00b2/T\u00b2]"])

    def test_files_of_a_restart_with_other_probes_are_drawn_too(self):
        text = "name,s,x,y,from,to,u_mean,u_rms\nw,0,1,1,5,9,1,0.1\n"
        (self.folder / "lines").mkdir()
        for file, content in {"averages.csv": text, "averages.2.csv": text, "probes.2.csv": "step,t,w_u\n0,0,1\n",
                              "lines/a.2.csv": "t,s,x,y,u\n0,0,0,0,1\n0,1,1,0,1\n"}.items():
            (self.folder / file).write_text(content)
        result = call(sys.executable, TOOLS / "plot.py", ".", folder=self.folder)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(sorted(file.name for file in (self.folder / "plots").iterdir()),
                         ["averages.2.png", "averages.png", "lines_a.2.png", "probes.2.png"])

    def test_units_are_those_of_output_md(self):
        raised = str.maketrans("\u00b2\u00b3\u2075", "235")
        text = (ROOT / "sim/OUTPUT.md").read_text().split("## history.csv")[1].split("## probes.csv")[0]
        compared = 0
        for names, unit in re.findall(r"^\| (`[^|]*) \| [^|]* \| ([^|]*) \|$", text, re.M):
            for name, own in zip(re.findall("`([^`]*)`", names), unit.split(", ") * 9):
                said = re.sub(r"(?<=[A-Z])([\u00b2\u00b3\u2075])", r"^\1", labels.unit_of_column(
                    re.sub("<axis>|<side>|<scalar>|<system>", "x", name))).translate(raised)
                if said:
                    self.assertEqual(said, own, name)
                    compared += 1
        self.assertGreater(compared, 8)


class OpeningField(unittest.TestCase):
    def test_is_the_velocity_whatever_else_the_frames_have(self):
        statistics = ["flux_c", "mean_velocity", "reynolds_stress", "rms_c"]
        self.assertEqual(labels.opening_field([*statistics, "c", "pressure", "velocity", "vorticity"]), "velocity")
        self.assertEqual(labels.opening_field([*statistics, "c", "pressure", "vorticity"]), "vorticity")
        self.assertEqual(labels.opening_field([*statistics, "c", "solid"]), "c")
        self.assertEqual(labels.opening_field(["solid", "reynolds_stress", "mean_pressure"]), "mean_pressure")


def write_frame(folder, cells, fields):
    """A run of one frame, as text, with cells of the size 1; vectors are lists of three values."""
    (folder / "a.pvd").write_text('<VTKFile type="Collection"><Collection><DataSet timestep="1.5" file="a.vti"/>'
                                  "</Collection></VTKFile>")
    extent = " ".join(f"0 {n}" for n in cells)
    arrays = "".join(f'<DataArray type="Float64" Name="{name}" NumberOfComponents="{len(values[0])}" format="ascii">'
                     + " ".join(str(v) for value in values for v in value) + "</DataArray>"
                     for name, values in fields.items())
    (folder / "a.vti").write_text(
        f'<VTKFile type="ImageData"><ImageData WholeExtent="{extent}" Origin="0 0 0" Spacing="1 1 1">'
        f'<Piece Extent="{extent}"><CellData>{arrays}</CellData></Piece></ImageData></VTKFile>')


@needs_view
class View(InFolder):
    """What stands in the view of ParaView, by the state that view.py writes."""

    def state(self, *words):
        result = call(TOOLS / "view.py", self.folder, "--state", "a.pvsm", "--overwrite", *words, folder=self.folder)
        self.assertEqual(result.returncode, 0, result.stderr)
        return (self.folder / "a.pvsm").read_text()

    def cube(self):
        n = 4
        x = [k % n for k in range(n**3)]
        write_frame(self.folder, (n, n, n), {
            "reynolds_stress": [[a, 0, 0, 0, 0, 0] for a in x], "velocity": [[a, 0, 0] for a in x],
            "vorticity": [[0, 0, a] for a in x], "temperature": [[300 + a] for a in x], "noise": [[1 + 1e-16 * a] for a in x]})

    def test_it_opens_on_the_velocity_with_a_surface_that_is_explained(self):
        self.cube()
        state = self.state()
        self.assertIn("speed [L/T]: from 0 to 3", state)
        self.assertIn("surface: magnitude of vorticity = 0.75, a quarter of its largest value", state)

    def test_no_surface_lies_over_another_field(self):
        self.cube()
        state = self.state("--field", "temperature")
        self.assertIn("temperature: from 300 to 303", state)
        self.assertNotIn("vorticity_size", state)

    def test_lines_in_two_dimensions_are_explained_and_fields_without_data_are_grey(self):
        write_frame(self.folder, (6, 4, 0), {"velocity": [[1 + k % 6, 0, 0] for k in range(24)],
                                             "pressure": [[1e-17 * (-1)**k] for k in range(24)]})
        state = self.state("--field", "pressure")
        self.assertIn("pressure [M/(L T^2)]: zero to rounding (max 1e-17)", state)
        self.assertIn("lines: streamlines of the velocity", state)

    def test_a_tall_box_gets_a_narrow_picture(self):
        write_frame(self.folder, (4, 20, 0), {"velocity": [[k, 0, 0] for k in range(80)]})
        self.state("--picture", "a.png")
        size = struct.unpack(">II", (self.folder / "a.png").read_bytes()[16:24])
        self.assertEqual(size, (480, 1000))


if __name__ == "__main__":
    unittest.main()
