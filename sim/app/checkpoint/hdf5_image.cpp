#include "sim/app/checkpoint/hdf5_image.hpp"

#include <fmt/format.h>
#include <hdf5.h>
#include <zlib.h>

#include <algorithm>
#include <bit>
#include <type_traits>

#include "linalg/base/errors.hpp"

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

void write_checksum(hid_t dataset, std::string_view bytes, const std::string& name) {
  const std::uint32_t sum = crc32(bytes);
  const Hdf5Handle space(H5Screate(H5S_SCALAR), H5Sclose);
  const Hdf5Handle attribute(
      H5Acreate2(dataset, checksum_name, H5T_STD_U32LE, space.id(), H5P_DEFAULT, H5P_DEFAULT),
      H5Aclose);
  if (!attribute.good() || H5Awrite(attribute.id(), H5T_NATIVE_UINT32, &sum) < 0)
    fail("write the checksum of " + name);
}

void write_dataset(hid_t file, const std::string& name, hid_t type, hid_t space,
                   std::string_view bytes) {
  const Hdf5Handle links(
      property_list(H5P_LINK_CREATE,
                    [](hid_t list) { return H5Pset_create_intermediate_group(list, 1); }),
      H5Pclose);
  const Hdf5Handle dataset(
      H5Dcreate2(file, name.c_str(), type, space, links.id(), H5P_DEFAULT, H5P_DEFAULT), H5Dclose);
  const bool written = dataset.good() && H5Dwrite(dataset.id(), type, H5S_ALL, H5S_ALL, H5P_DEFAULT,
                                                  bytes.data()) >= 0;
  if (!written) fail("write " + name);
  write_checksum(dataset.id(), bytes, name);
}

template <class T>
void write_number(hid_t file, const std::string& name, hid_t type, T value) {
  const Hdf5Handle space(H5Screate(H5S_SCALAR), H5Sclose);
  write_dataset(file, name, type, space.id(), bytes_of(std::span<const T>(&value, 1)));
}

// Of a fixed length, which is at least 1.
hid_t text_type(std::size_t length) {
  const hid_t type = H5Tcopy(H5T_C_S1);
  if (type < 0 || H5Tset_size(type, length) < 0) fail("make a type of text");
  return type;
}

}  // namespace

std::uint32_t crc32(std::string_view bytes, std::uint32_t before) {
  return static_cast<std::uint32_t>(
      ::crc32_z(before, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

Hdf5Image::Hdf5Image(std::size_t user_block)
    : user_block_(user_block),
      access_(memory_access(), H5Pclose),
      file_(create(user_block, access_.id()), H5Fclose) {}

void Hdf5Image::write(const std::string& name, std::span<const double> values) {
  const hsize_t size = values.size();
  const Hdf5Handle space(H5Screate_simple(1, &size, nullptr), H5Sclose);
  write_dataset(file_.id(), name, H5T_IEEE_F64LE, space.id(), bytes_of(values));
}

void Hdf5Image::write(const std::string& name, long value) {
  write_number<std::int64_t>(file_.id(), name, H5T_STD_I64LE, value);
}

void Hdf5Image::write(const std::string& name, double value) {
  write_number(file_.id(), name, H5T_IEEE_F64LE, value);
}

void Hdf5Image::write(const std::string& name, const std::string& text) {
  const std::string padded = text + '\0';
  const Hdf5Handle space(H5Screate(H5S_SCALAR), H5Sclose);
  const Hdf5Handle type(text_type(padded.size()), H5Tclose);
  write_dataset(file_.id(), name, type.id(), space.id(), padded);
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

namespace {

hid_t open(const std::filesystem::path& path) {
  silence();
  return H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
}

// A dataset that is being read.
class Dataset {
 public:
  Dataset(const std::filesystem::path& path, hid_t file, const std::string& name)
      : path_(path),
        name_(name),
        dataset_(H5Dopen2(file, name.c_str(), H5P_DEFAULT), H5Dclose),
        space_(dataset_.good() ? H5Dget_space(dataset_.id()) : -1, H5Sclose),
        type_(dataset_.good() ? H5Dget_type(dataset_.id()) : -1, H5Tclose) {
    if (!dataset_.good()) fail("is not there");
  }

  std::size_t size() const {
    const hssize_t count = H5Sget_simple_extent_npoints(space_.id());
    return count < 0 ? 0 : static_cast<std::size_t>(count);
  }
  std::size_t value_bytes() const { return H5Tget_size(type_.id()); }

  template <class T>
  void read(hid_t kind, std::span<T> values) const {
    if (H5Tget_class(type_.id()) != H5Tget_class(kind)) fail("is of another type");
    if (size() * value_bytes() != values.size_bytes())
      fail(fmt::format("has {} values, expected {}", size(), values.size_bytes() / value_bytes()));
    if (H5Dread(dataset_.id(), type_.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) < 0)
      fail("cannot be read");
    if (crc32(bytes_of(std::span<const T>(values))) != checksum()) fail("has a wrong checksum");
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw IoError(fmt::format("{}: {} {}", path_.string(), name_, what));
  }
  std::uint32_t checksum() const {
    std::uint32_t sum = 0;
    const Hdf5Handle attribute(H5Aopen(dataset_.id(), checksum_name, H5P_DEFAULT), H5Aclose);
    if (!attribute.good() || H5Aread(attribute.id(), H5T_NATIVE_UINT32, &sum) < 0)
      fail("has no checksum");
    return sum;
  }

  const std::filesystem::path& path_;
  const std::string& name_;
  Hdf5Handle dataset_, space_, type_;
};

}  // namespace

Hdf5File::Hdf5File(const std::filesystem::path& path) : path_(path), file_(open(path), H5Fclose) {
  if (!file_.good()) throw IoError(fmt::format("{}: HDF5 cannot open it", path_.string()));
}

std::size_t Hdf5File::size(const std::string& name) const {
  return Dataset(path_, file_.id(), name).size();
}

void Hdf5File::read(const std::string& name, std::span<double> values) const {
  Dataset(path_, file_.id(), name).read(H5T_IEEE_F64LE, values);
}

void Hdf5File::read(const std::string& name, long& value) const {
  std::int64_t number = 0;
  Dataset(path_, file_.id(), name).read(H5T_STD_I64LE, std::span(&number, 1));
  value = number;
}

void Hdf5File::read(const std::string& name, double& value) const {
  Dataset(path_, file_.id(), name).read(H5T_IEEE_F64LE, std::span(&value, 1));
}

void Hdf5File::read(const std::string& name, std::string& text) const {
  const Dataset dataset(path_, file_.id(), name);
  text.resize(dataset.value_bytes());
  dataset.read(H5T_C_S1, std::span(text.data(), text.size()));
  text.pop_back();  // the zero at its end
}

}  // namespace hodge::sim
