"""A page for each method: what stands at the top of the header that implements it, the equation, how it is discretised,
its source and its cost."""

import pathlib
import re
import textwrap

GROUPS = {
    "Time": {
        "A step": "sim/time/navier_stokes.hpp",
        "Implicit steps: bdf2, backward_euler, cn_ab2": "sim/time/implicit_step.hpp",
        "Explicit steps: rk3, ab2": "sim/time/runge_kutta_step.hpp",
        "Deferred convection": "sim/time/deferred_convection.hpp",
        "Scalars that are solved for": "sim/time/scalar_step.hpp",
        "Scalars that keep their bounds": "sim/time/limited_scalars.hpp",
        "Stability": "sim/time/stability.hpp",
        "The size of a step": "sim/time/step_size.hpp",
        "Motion that is about to begin": "sim/time/motion_ahead.hpp",
        "When a flow is steady": "sim/time/steadiness.hpp",
        "Reactions": "sim/discrete/reactions/reactions.hpp",
        "Reactions: steps of ESDIRK4": "sim/discrete/reactions/esdirk4.hpp",
    },
    "Pressure": {
        "The projection": "sim/time/pressure_solve.hpp",
        "The pressure at the start": "sim/time/initial_pressure.hpp",
        "Flow rates that are held": "sim/time/flow_rate_control.hpp",
        "Inflow that has to balance": "sim/discrete/boundaries/inflow_balance.hpp",
        "What rounding leaves": "sim/time/rounding.hpp",
    },
    "Space": {
        "Convection": "sim/discrete/operators/convection.hpp",
        "Convection schemes": "sim/discrete/operators/side_values.hpp",
        "Diffusion": "sim/discrete/operators/diffusion.hpp",
        "Friction beside walls": "sim/discrete/operators/side_friction.hpp",
        "Conditions of sides": "sim/discrete/boundaries/ghosts.hpp",
        "Open sides": "sim/discrete/operators/open_faces.hpp",
        "Fluid that enters through open sides": "sim/discrete/boundaries/entering.hpp",
        "Staircases": "sim/discrete/bodies/staircase.hpp",
        "Sharp bodies": "sim/discrete/bodies/sharp.hpp",
        "Scalars beside sharp bodies": "sim/discrete/bodies/sharp_scalars.hpp",
        "Sharp bodies that conduct": "sim/discrete/bodies/sharp_media.hpp",
        "Forces": "sim/flow/forces.hpp",
        "Forces by the balance of momentum": "sim/time/control_volumes.hpp",
        "Forces on sharp bodies": "sim/flow/sharp_forces.hpp",
        "Porous bodies and sponges": "sim/discrete/operators/resistance.hpp",
    },
    "Linear systems": {
        "cg": "linalg/solvers/cg.hpp",
        "bicg": "linalg/solvers/bicg.hpp",
        "bicgstab": "linalg/solvers/bicgstab.hpp",
        "gmres": "linalg/solvers/gmres.hpp",
        "gauss": "linalg/solvers/gauss.hpp",
        "Dense factors": "linalg/dense/dense_lu.hpp",
        "direct": "linalg/direct/direct_solver.hpp",
        "direct: elimination along lines": "linalg/direct/line_elimination.hpp",
        "capacitance": "linalg/solvers/capacitance.hpp",
        "When iterations end": "linalg/solvers/monitor.hpp",
        "Starting guesses": "sim/time/starting_guess.hpp",
        "neumann": "linalg/preconditioners/neumann.hpp",
        "ssor_sai": "linalg/preconditioners/ssor_sai.hpp",
        "ssor_sai: choice of omega": "linalg/preconditioners/choose_omega.hpp",
        "multigrid": "linalg/preconditioners/multigrid.hpp",
        "multigrid: a cycle": "linalg/multigrid/cycle.hpp",
        "multigrid: coarser grids": "linalg/multigrid/coarsening.hpp",
        "multigrid: smoothers": "linalg/multigrid/smoothing.hpp",
    },
}


def uri(header):
    return f"theory/{pathlib.PurePath(header).stem}.md"


_PAGES = {pathlib.PurePath(header).name: uri(header) for group in GROUPS.values() for header in group.values()}


def _prose(line):
    line = re.sub(r"([\\`*_{}\[\]<>#|~])", r"\\\1", line)

    def link(match):
        page = _PAGES.get(match[0].replace("\\", "").rsplit("/", 1)[-1])
        return f"[{match[0]}]({pathlib.PurePath(page).name})" if page else match[0]
    return re.sub(r"[a-z\\_/0-9]+\.hpp", link, line)


def page(root, title, header):
    text, block = [f"# {title}", ""], []
    for line in (root / header).read_text(encoding="utf-8").split("\n"):
        if not line.startswith("//"):
            break
        line = line[3:]
        if line.startswith("  ") or (block and not line):  # formulas and drawings
            block.append(line)
            continue
        if block:
            text += ["```text", *textwrap.dedent("\n".join(block)).strip("\n").split("\n"), "```", ""]
            block = []
        text.append(_prose(line))
    if block:
        text += ["```text", *textwrap.dedent("\n".join(block)).strip("\n").split("\n"), "```"]
    return "\n".join([*text, "", f"*The head of* `{header}`."])
