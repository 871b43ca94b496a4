#include "tools/hodge/validate/validation.hpp"

namespace hodge::tools {

std::span<const Validation> validation_table() {
  // A line each: the empty comments keep the formatter from filling lines.
  static const Validation table[] = {
      taylor_green_validation,               //
      poiseuille_validation,                 //
      outflow_validation,                    //
      duct_validation,                       //
      oscillating_flow_validation,           //
      kovasznay_validation,                  //
      ethier_steinman_validation,            //
      taylor_green_3d_validation,            //
      lid_driven_cavity_validation,          //
      lid_driven_cavity_high_re_validation,  //
      lid_driven_cavity_3d_validation,       //
      backward_facing_step_validation,       //
      circular_cylinder_validation,          //
      square_cylinder_validation,            //
      manufactured_scalar_validation,        //
      rotating_cone_validation,              //
      smith_hutton_validation,               //
      heated_cavity_validation,              //
      rayleigh_benard_validation,            //
      brusselator_validation,                //
      robertson_validation,                  //
  };
  return table;
}

const Validation* find_validation(std::string_view name) {
  for (const Validation& entry : validation_table()) {
    if (name == entry.name) return &entry;
  }
  return nullptr;
}

}  // namespace hodge::tools
