#include "sim/app/checkpoint/hdf5_image.hpp"

#include <fmt/format.h>
#include <hdf5.h>

#include <algorithm>
#include <bit>
#include <type_traits>

#include "linalg/base/errors.hpp"
#include "sim/app/checkpoint/seal.hpp"

namespace hodge::sim {
namespace {

static_assert(std::is_same_v<hid_t, std::int64_t>, "HDF5 1.10 or newer");
static_assert(std::endian::native == std::endian::little, "checksums are of little-endian bytes");

constexpr std::size_t growth = 1 << 20;  // of a file in memory
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

hid_t memory_access() {
  silence();
  constexpr hbool_t never_on_disk = 0;
  return property_list(H5P_FILE_ACCESS,
                       [](hid_t list) { return H5Pset_fapl_core(list, growth, never_on_disk); });
}

hid_t create(std::size_t user_block, hid_t access) {
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

// Returns the place of the first byte in the file, 0 where there are none. The values lie there in
// one piece: HDF5 stores a dataset so if it is not asked for anything else.
std::uint64_t write_dataset(hid_t file, const std::string& name, hid_t type, hid_t space,
                            std::string_view bytes, std::uint32_t checksum) {
  const Hdf5Handle links(
      property_list(H5P_LINK_CREATE,
                    [](hid_t list) { return H5Pset_create_intermediate_group(list, 1); }),
      H5Pclose);
  const Hdf5Handle dataset(
      H5Dcreate2(file, name.c_str(), type, space, links.id(), H5P_DEFAULT, H5P_DEFAULT), H5Dclose);
  const bool written = dataset.good() && H5Dwrite(dataset.id(), type, H5S_ALL, H5S_ALL, H5P_DEFAULT,
                                                  bytes.data()) >= 0;
  if (!written) fail("write " + name);
  write_checksum(dataset.id(), checksum, name);
  if (bytes.empty()) return 0;
  const haddr_t begin = H5Dget_offset(dataset.id());
  if (begin == HADDR_UNDEF) fail("say where it has put " + name);
  return begin;
}

template <class T>
CheckpointPart write_values(hid_t file, const std::string& name, PartKind kind, hid_t type,
                            hid_t space, std::span<const T> values) {
  const std::string_view bytes = bytes_of(values);
  const std::uint32_t sum = crc32(bytes);
  return {.name = name,
          .kind = kind,
          .count = values.size(),
          .begin = write_dataset(file, name, type, space, bytes, sum),
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

}  // namespace

Hdf5Image::Hdf5Image(std::size_t user_block)
    : user_block_(user_block),
      access_(memory_access(), H5Pclose),
      file_(create(user_block, access_.id()), H5Fclose) {}

CheckpointPart Hdf5Image::write(const std::string& name, std::span<const double> values) {
  const hsize_t size = values.size();
  const Hdf5Handle space(H5Screate_simple(1, &size, nullptr), H5Sclose);
  return write_values(file_.id(), name, PartKind::list, H5T_IEEE_F64LE, space.id(), values);
}

CheckpointPart Hdf5Image::write(const std::string& name, long value) {
  return write_number<std::int64_t>(file_.id(), name, PartKind::integer, H5T_STD_I64LE, value);
}

CheckpointPart Hdf5Image::write(const std::string& name, double value) {
  return write_number(file_.id(), name, PartKind::number, H5T_IEEE_F64LE, value);
}

CheckpointPart Hdf5Image::write(const std::string& name, const std::string& text) {
  const std::string padded = text + '\0';
  const Hdf5Handle space(H5Screate(H5S_SCALAR), H5Sclose);
  const Hdf5Handle type(text_type(padded.size()), H5Tclose);
  return write_values(file_.id(), name, PartKind::text, type.id(), space.id(),
                      std::span<const char>(padded));
}

// H5Fget_file_image gives the size without the user block. The memory of the file is larger: it
// grows in steps of `growth`.
std::span<char> Hdf5Image::bytes() {
  hsize_t most = 0;
  void** data = nullptr;
  const bool flushed = H5Fflush(file_.id(), H5F_SCOPE_GLOBAL) >= 0;
  const ssize_t end = H5Fget_file_image(file_.id(), nullptr, 0);
  if (!flushed || end < 0 || H5Fget_filesize(file_.id(), &most) < 0 ||
      H5Fget_vfd_handle(file_.id(), access_.id(), reinterpret_cast<void**>(&data)) < 0)
    fail("finish a file in memory");
  const std::size_t size = user_block_ + static_cast<std::size_t>(end);
  return {static_cast<char*>(*data), std::min<std::size_t>(size, most)};
}

}  // namespace hodge::sim
