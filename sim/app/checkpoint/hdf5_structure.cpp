#include "sim/app/checkpoint/hdf5_structure.hpp"

#include <fmt/format.h>
#include <hdf5.h>

#include <bit>
#include <cstdlib>
#include <new>
#include <span>
#include <type_traits>

#include "linalg/base/errors.hpp"
#include "sim/app/checkpoint/hdf5_driver.hpp"
#include "sim/base/crc32.hpp"

namespace hodge::sim {
namespace {

static_assert(std::is_same_v<hid_t, std::int64_t>, "HDF5 1.10 or newer");
static_assert(std::endian::native == std::endian::little, "checksums are of little-endian bytes");

constexpr const char* checksum_name = "crc32";

// Keeps HDF5 from printing its errors: they become exceptions.
void silence() {
  (void)H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

[[noreturn]] void fail(const std::string& what) {
  throw IoError("HDF5 cannot " + what);
}

// A property list with the settings that `set` makes.
template <class Set>
hid_t property_list(hid_t kind, Set set) {
  const hid_t list = H5Pcreate(kind);
  if (list < 0 || set(list) < 0) fail("set up a file");
  return list;
}

hid_t make_access(SparseBytes& bytes) {
  silence();
  const hid_t access = access_to(bytes);
  if (access < 0) fail("set up a file");
  return access;
}

// HDF5 crashes where it finds no memory for its tables: what it takes is asked for before.
void require_memory() {
  constexpr std::size_t bytes = 8 << 20;
  void* const volatile room = std::malloc(bytes);
  if (room == nullptr) throw std::bad_alloc();
  std::free(room);
}

hid_t create(std::size_t user_block, hid_t access) {
  require_memory();
  const Hdf5Handle creation(
      property_list(H5P_FILE_CREATE,
                    [&](hid_t list) { return H5Pset_userblock(list, user_block); }),
      H5Pclose);
  const hid_t file = H5Fcreate("checkpoint", H5F_ACC_TRUNC, creation.id(), access);
  if (file < 0) fail("make a file in memory");
  return file;
}

template <class T>
std::string_view bytes_of(std::span<const T> values) {
  return {reinterpret_cast<const char*>(values.data()), values.size_bytes()};
}

void write_checksum(hid_t dataset, std::uint32_t sum, const std::string& name) {
  const Hdf5Handle space(H5Screate(H5S_SCALAR), H5Sclose);
  const Hdf5Handle attribute(
      H5Acreate2(dataset, checksum_name, H5T_STD_U32LE, space.id(), H5P_DEFAULT, H5P_DEFAULT),
      H5Aclose);
  if (!attribute.good() || H5Awrite(attribute.id(), H5T_NATIVE_UINT32, &sum) < 0)
    fail("write the checksum of " + name);
}

// The values will lie in one piece: HDF5 stores a dataset so if it is not asked for anything else.
hid_t make_dataset(hid_t file, const std::string& name, hid_t type, hid_t space, hid_t creation) {
  const Hdf5Handle links(
      property_list(H5P_LINK_CREATE,
                    [](hid_t list) { return H5Pset_create_intermediate_group(list, 1); }),
      H5Pclose);
  const hid_t dataset =
      H5Dcreate2(file, name.c_str(), type, space, links.id(), creation, H5P_DEFAULT);
  if (dataset < 0) fail("write " + name);
  return dataset;
}

// Of the first byte in the file.
std::uint64_t place_of(hid_t dataset, const std::string& name) {
  const haddr_t begin = H5Dget_offset(dataset);
  if (begin == HADDR_UNDEF) fail("say where it has put " + name);
  return begin;
}

template <class T>
CheckpointPart write_values(hid_t file, const std::string& name, PartKind kind, hid_t type,
                            hid_t space, std::span<const T> values) {
  const std::uint32_t sum = crc32(bytes_of(values));
  const Hdf5Handle dataset(make_dataset(file, name, type, space, H5P_DEFAULT), H5Dclose);
  if (H5Dwrite(dataset.id(), type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) < 0)
    fail("write " + name);
  write_checksum(dataset.id(), sum, name);
  return {.name = name,
          .kind = kind,
          .count = values.size(),
          .begin = place_of(dataset.id(), name),
          .crc32 = sum};
}

template <class T>
CheckpointPart write_number(hid_t file, const std::string& name, PartKind kind, hid_t type,
                            T value) {
  const Hdf5Handle space(H5Screate(H5S_SCALAR), H5Sclose);
  return write_values(file, name, kind, type, space.id(), std::span<const T>(&value, 1));
}

// Of a fixed length, which is at least 1.
hid_t text_type(std::size_t length) {
  const hid_t type = H5Tcopy(H5T_C_S1);
  if (type < 0 || H5Tset_size(type, length) < 0) fail("make a type of text");
  return type;
}

// A place at once, and nothing written into it.
hid_t list_creation() {
  return property_list(H5P_DATASET_CREATE, [](hid_t list) {
    const herr_t time = H5Pset_alloc_time(list, H5D_ALLOC_TIME_EARLY);
    return time < 0 ? time : H5Pset_fill_time(list, H5D_FILL_TIME_NEVER);
  });
}

}  // namespace

Hdf5Structure::Hdf5Structure(std::size_t user_block)
    : access_(make_access(bytes_), H5Pclose), file_(create(user_block, access_.id()), H5Fclose) {}

CheckpointPart Hdf5Structure::write(const std::string& name, long value) {
  return write_number<std::int64_t>(file_.id(), name, PartKind::integer, H5T_STD_I64LE, value);
}

CheckpointPart Hdf5Structure::write(const std::string& name, double value) {
  return write_number(file_.id(), name, PartKind::number, H5T_IEEE_F64LE, value);
}

CheckpointPart Hdf5Structure::write(const std::string& name, const std::string& text) {
  const std::string padded = text + '\0';
  const Hdf5Handle space(H5Screate(H5S_SCALAR), H5Sclose);
  const Hdf5Handle type(text_type(padded.size()), H5Tclose);
  return write_values(file_.id(), name, PartKind::text, type.id(), space.id(),
                      std::span<const char>(padded));
}

CheckpointPart Hdf5Structure::place_list(const std::string& name, std::uint64_t count) {
  const hsize_t size = count;
  const Hdf5Handle space(H5Screate_simple(1, &size, nullptr), H5Sclose);
  const Hdf5Handle creation(list_creation(), H5Pclose);
  const Hdf5Handle dataset(
      make_dataset(file_.id(), name, H5T_IEEE_F64LE, space.id(), creation.id()), H5Dclose);
  return {.name = name,
          .kind = PartKind::list,
          .count = count,
          .begin = count == 0 ? 0 : place_of(dataset.id(), name)};
}

void Hdf5Structure::seal_list(const CheckpointPart& part) {
  const Hdf5Handle dataset(H5Dopen2(file_.id(), part.name.c_str(), H5P_DEFAULT), H5Dclose);
  if (!dataset.good()) fail("find " + part.name);
  write_checksum(dataset.id(), part.crc32, part.name);
}

std::uint64_t Hdf5Structure::finish(const TakePage& take) {
  if (H5Fflush(file_.id(), H5F_SCOPE_GLOBAL) < 0) fail("finish a file");
  bytes_.for_each_page(take);
  return placed_bytes(file_.id());
}

}  // namespace hodge::sim
