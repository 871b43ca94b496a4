"""Frequencies of records that are known, by tools/plotting/frequency.py and tools/strouhal.py."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))

try:
    import numpy
    from plotting.frequency import NoFrequency, frequency
except ImportError:
    numpy = None


def uneven_times(end, count, seed):
    """Steps that vary by a factor of up to 19."""
    steps = 1 + 0.9 * numpy.random.default_rng(seed).uniform(-1, 1, count)
    t = numpy.cumsum(steps)
    return end * t / t[-1]


@unittest.skipIf(numpy is None, "python3-numpy is not installed")
class Frequency(unittest.TestCase):
    def refused(self, t, q, reason):
        with self.assertRaisesRegex(NoFrequency, reason):
            frequency(t, q)

    def test_a_pure_wave_between_two_lines_of_the_spectrum_is_found_to_rounding(self):
        for f in (0.1, 0.1234567, 0.165):
            t = numpy.linspace(0, 60, 2500)
            self.assertAlmostEqual(frequency(t, 3 + 0.1 * numpy.sin(2 * numpy.pi * f * t + 1))["frequency"], f, places=12)

    def test_uneven_steps_and_a_harmonic_change_nothing(self):
        t = uneven_times(60, 2000, 1)
        wave = 2 * numpy.pi * 0.165 * t
        found = frequency(t, 0.3 + numpy.sin(wave) + 0.4 * numpy.cos(2 * wave))
        self.assertAlmostEqual(found["frequency"], 0.165, places=9)
        self.assertAlmostEqual(found["amplitude"], 1, places=6)
        self.assertLess(found["uncertainty"], 1e-8)

    def test_the_uncertainty_holds_the_error_in_noise_and_is_not_much_larger(self):
        within, ratios = 0, []
        for seed in range(60):
            t = uneven_times(60, 400, seed)
            noise = numpy.random.default_rng(1000 + seed).normal(size=400)
            found = frequency(t, numpy.sin(2 * numpy.pi * 0.165 * t + seed) + 0.3 * noise)
            error = abs(found["frequency"] - 0.165)
            within += error <= found["uncertainty"]
            ratios.append(found["uncertainty"] / 0.165)
        self.assertGreaterEqual(within, 54)
        self.assertLess(numpy.mean(ratios), 0.01)

    def test_a_frequency_that_still_changes_is_uncertain_by_this_change(self):
        t = numpy.linspace(0, 60, 3000)
        found = frequency(t, numpy.sin(2 * numpy.pi * (0.16 * t + 0.005 * t**2 / 60)))  # from 0.16 to 0.17
        self.assertAlmostEqual(found["frequency"], 0.165, delta=0.001)
        self.assertGreater(found["uncertainty"], 0.002)

    def test_growing_and_decaying_waves_are_refused(self):
        t = numpy.linspace(0, 60, 3000)
        self.refused(t, numpy.exp(0.05 * t) * numpy.sin(t), "grows by 1[0-9]{3} %")
        self.refused(t, numpy.exp(-0.02 * t) * numpy.sin(t), "decays by")

    def test_records_without_a_wave_are_refused(self):
        t = numpy.linspace(0, 60, 3000)
        noise = numpy.random.default_rng(3).normal(size=3000)
        self.refused(t, noise, "not periodic")
        self.refused(t, numpy.cumsum(noise), "periods|not periodic|decays|grows")
        self.refused(t, 0 * t + 1, "does not vary")
        self.refused(t, 1 + 1e-15 * noise, "does not vary")
        self.refused(t, numpy.exp(-t / 10), "periods")
        self.refused(t[:10], t[:10], "10 rows")

    def test_three_periods_are_too_few_and_five_are_enough(self):
        t = numpy.linspace(0, 30, 900)
        self.refused(t, numpy.sin(2 * numpy.pi * 0.1 * t), "3.0 periods .*expected 4")
        self.assertAlmostEqual(frequency(t, numpy.sin(2 * numpy.pi * t / 6))["frequency"], 1 / 6, places=12)


@unittest.skipIf(numpy is None, "python3-numpy is not installed")
class Strouhal(unittest.TestCase):
    def setUp(self):
        self.place = tempfile.TemporaryDirectory()
        self.addCleanup(self.place.cleanup)
        self.folder = pathlib.Path(self.place.name)
        t = numpy.linspace(0, 100, 4000)
        lift = numpy.where(t < 40, 5 * numpy.exp(-t / 5), 0) + 0.3 * numpy.sin(2 * numpy.pi * 0.4 * t)
        rows = [f"{k},{a!r},1.3,{b!r}" for k, (a, b) in enumerate(zip(t.tolist(), lift.tolist()))]
        (self.folder / "forces.csv").write_text("\n".join(["step,t,rod_drag,rod_lift"] + rows) + "\n")
        (self.folder / "config.yaml").write_text("case: custom\nforces:\n  speed: 2\n  length: 0.5\ntime:\n  end: 100\n")

    def call(self, *words):
        return subprocess.run([sys.executable, ROOT / "tools/strouhal.py", *words], capture_output=True, text=True)

    def test_it_takes_the_second_half_of_the_lift_and_the_scales_of_the_run(self):
        result = self.call(self.folder)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("rod_lift: 20.0 periods from t = 50.", result.stdout)
        self.assertRegex(result.stdout, r"(?m)^frequency 0\.4 \+- \S+$")
        self.assertRegex(result.stdout, r"(?m)^Strouhal number 0\.1 \+- \S+ \(length 0\.5, speed 2\)$")

    def test_options_win_over_the_file(self):
        result = self.call(self.folder / "forces.csv", "--from", "60", "--to", "90", "--length", "1")
        self.assertRegex(result.stdout, r"(?m)^Strouhal number 0\.2 ")
        self.assertIn("12.0 periods", result.stdout)

    def test_a_steady_column_ends_with_3_and_a_missing_one_with_2(self):
        steady = self.call(self.folder, "--column", "rod_drag")
        self.assertEqual((steady.returncode, steady.stdout), (3, ""))
        self.assertIn("rod_drag: the signal does not vary", steady.stderr)
        missing = self.call(self.folder, "--column", "lift")
        self.assertEqual(missing.returncode, 2)
        self.assertIn("has no column lift; columns: step, t, rod_drag, rod_lift", missing.stderr)
        self.assertEqual(self.call(self.folder / "nothing").returncode, 2)


if __name__ == "__main__":
    unittest.main()
