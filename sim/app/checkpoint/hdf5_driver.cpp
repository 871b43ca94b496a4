#include "sim/app/checkpoint/hdf5_driver.hpp"

#include <hdf5.h>
#if __has_include(<H5FDdevelop.h>)  // HDF5 1.14
#include <H5FDdevelop.h>
#endif

#include <algorithm>
#include <iterator>
#include <limits>
#include <type_traits>

namespace hodge::sim {
namespace {

// HDF5 casts between H5FD_t and what a driver makes of it.
struct OpenFile {
  H5FD_t common{};
  SparseBytes* bytes = nullptr;
  haddr_t end_of_addresses = 0;
};
static_assert(std::is_standard_layout_v<OpenFile>);

struct AccessSettings {
  SparseBytes* bytes;
};

OpenFile& own(H5FD_t* file) {
  return *reinterpret_cast<OpenFile*>(file);
}
const OpenFile& own(const H5FD_t* file) {
  return *reinterpret_cast<const OpenFile*>(file);
}

H5FD_t* open(const char*, unsigned, hid_t access, haddr_t) {
  const auto* const settings = static_cast<const AccessSettings*>(H5Pget_driver_info(access));
  if (settings == nullptr) return nullptr;
  auto* const file = new OpenFile;
  file->bytes = settings->bytes;
  return &file->common;
}

herr_t close(H5FD_t* file) {
  delete &own(file);
  return 0;
}

herr_t query(const H5FD_t*, unsigned long* flags) {
  *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE |
           H5FD_FEAT_AGGREGATE_SMALLDATA;
  return 0;
}

haddr_t get_end_of_addresses(const H5FD_t* file, H5FD_mem_t) {
  return own(file).end_of_addresses;
}
herr_t set_end_of_addresses(H5FD_t* file, H5FD_mem_t, haddr_t address) {
  own(file).end_of_addresses = address;
  return 0;
}
// Lists that are placed there but not written belong to the file, too.
haddr_t get_end_of_file(const H5FD_t* file, H5FD_mem_t) {
  const OpenFile& here = own(file);
  return std::max<haddr_t>(here.end_of_addresses, here.bytes->end());
}

herr_t get_handle(H5FD_t* file, hid_t, void** handle) {
  *handle = file;
  return 0;
}

herr_t read(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t address, std::size_t size, void* to) {
  own(file).bytes->read(address, {static_cast<char*>(to), size});
  return 0;
}
herr_t write(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t address, std::size_t size, const void* from) {
  try {
    own(file).bytes->write(address, {static_cast<const char*>(from), size});
    return 0;
  } catch (...) {  // memory is full
    return -1;
  }
}

H5FD_class_t make_driver() {
  H5FD_class_t driver{};
#ifdef H5FD_CLASS_VERSION
  driver.version = H5FD_CLASS_VERSION;
  driver.value = static_cast<H5FD_class_value_t>(H5_VFD_RESERVED + 1);
#endif
  driver.name = "hodge";
  driver.maxaddr = static_cast<haddr_t>(std::numeric_limits<std::int64_t>::max());
  driver.fc_degree = H5F_CLOSE_WEAK;
  driver.fapl_size = sizeof(AccessSettings);
  driver.open = open;
  driver.close = close;
  driver.query = query;
  driver.get_eoa = get_end_of_addresses;
  driver.set_eoa = set_end_of_addresses;
  driver.get_eof = get_end_of_file;
  driver.get_handle = get_handle;
  driver.read = read;
  driver.write = write;
  const H5FD_mem_t map[] = H5FD_FLMAP_DICHOTOMY;
  static_assert(sizeof map == sizeof driver.fl_map);
  std::copy(std::begin(map), std::end(map), std::begin(driver.fl_map));
  return driver;
}

hid_t registered_driver() {
  static const H5FD_class_t driver = make_driver();
  static const hid_t id = H5FDregister(&driver);
  return id;
}

}  // namespace

std::int64_t access_to(SparseBytes& bytes) {
  const hid_t driver = registered_driver();
  const hid_t access = driver < 0 ? -1 : H5Pcreate(H5P_FILE_ACCESS);
  const AccessSettings settings{&bytes};
  if (access >= 0 && H5Pset_driver(access, driver, &settings) >= 0) return access;
  if (access >= 0) (void)H5Pclose(access);
  return -1;
}

std::uint64_t placed_bytes(std::int64_t file) {
  void* handle = nullptr;
  if (H5Fget_vfd_handle(file, H5P_DEFAULT, &handle) < 0) return 0;
  return get_end_of_file(static_cast<const H5FD_t*>(handle), H5FD_MEM_DEFAULT);
}

}  // namespace hodge::sim
