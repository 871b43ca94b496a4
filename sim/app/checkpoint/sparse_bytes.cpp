#include "sim/app/checkpoint/sparse_bytes.hpp"

#include <algorithm>

namespace hodge::sim {
namespace {

// Calls f(page, place in it, place in the range, bytes) for the pages of a range.
template <class F>
void for_pages_of(std::uint64_t begin, std::size_t bytes, std::size_t page_bytes, const F& f) {
  for (std::size_t done = 0; done < bytes;) {
    const std::uint64_t at = begin + done;
    const auto within = static_cast<std::size_t>(at % page_bytes);
    const std::size_t count = std::min(bytes - done, page_bytes - within);
    f(at / page_bytes, within, done, count);
    done += count;
  }
}

}  // namespace

void SparseBytes::write(std::uint64_t begin, std::string_view bytes) {
  for_pages_of(begin, bytes.size(), page_bytes,
               [&](std::uint64_t page, std::size_t within, std::size_t done, std::size_t count) {
                 Page& to = pages_.try_emplace(page).first->second;
                 std::ranges::copy(bytes.substr(done, count), to.begin() + within);
               });
  end_ = std::max(end_, begin + bytes.size());
}

void SparseBytes::read(std::uint64_t begin, std::span<char> to) const {
  for_pages_of(begin, to.size(), page_bytes,
               [&](std::uint64_t page, std::size_t within, std::size_t done, std::size_t count) {
                 const auto found = pages_.find(page);
                 char* const out = to.data() + done;
                 if (found == pages_.end())
                   std::fill_n(out, count, '\0');
                 else
                   std::copy_n(found->second.begin() + within, count, out);
               });
}

void SparseBytes::for_each_page(
    const std::function<void(std::uint64_t, std::string_view)>& f) const {
  for (const auto& [page, bytes] : pages_)
    f(page * page_bytes, std::string_view(bytes.data(), bytes.size()));
}

}  // namespace hodge::sim
