#pragma once

#include "linalg/files/directories.hpp"  // where these functions stand now
