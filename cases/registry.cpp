#include "cases/registry.hpp"

namespace hodge::cases {

std::span<const Case> case_table() {
  // A line each: the empty comments keep the formatter from filling lines.
  static const Case table[] = {
      backward_facing_step,  //
      brusselator,           //
      brusselator_line,      //
      duct,                  //
      ethier_steinman,       //
      heated_cavity,         //
      kovasznay,             //
      lid_driven_cavity,     //
      manufactured_scalar,   //
      oscillating_flow,      //
      poiseuille,            //
      rayleigh_benard,       //
      robertson,             //
      rotating_cone,         //
      smith_hutton,          //
      taylor_green,          //
      taylor_green_3d,       //
  };
  return table;
}

const Case* find_case(std::string_view name) {
  for (const Case& entry : case_table())
    if (name == entry.name) return &entry;
  return nullptr;
}

}  // namespace hodge::cases
