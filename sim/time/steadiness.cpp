#include "sim/time/steadiness.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace hodge::sim {
namespace {

constexpr std::size_t most_blocks = 32;
constexpr std::size_t fewest_in_a_fit = 5;
// Multiples of the standard error beyond which noise lies once in a few hundred fits: with 6
// degrees of freedom or more, and with 3 or more.
constexpr double errors_of_a_half = 3.5, errors_of_a_quarter = 6, errors_of_a_decay = 3;
constexpr double least_growth = 0.2;       // of ln(series) over the blocks of a fit
constexpr double kept_in_mind = 0.8;       // of the time: growth later than that counts
constexpr double rounding = 1e-15;         // of numbers, relative to the largest
constexpr double almost_whole = 1 - 1e-9;  // a sum of steps is rounded

}  // namespace

void Steadiness::Block::join(const Block& next) {
  duration += next.duration;
  for (std::size_t k = 0; k < most.size(); ++k) {
    least[k] = std::min(least[k], next.least[k]);
    most[k] = std::max(most[k], next.most[k]);
  }
  for (std::size_t k = 0; k < sizes.size(); ++k) sizes[k] = std::max(sizes[k], next.sizes[k]);
}

void Steadiness::add(double dt, std::span<const Rate> rates, std::span<const double> numbers) {
  Block step{dt, std::vector<double>(rates_, 0.0), {}, {}};
  for (const Rate& rate : rates) {
    step.most.push_back(std::max(rate.value, rate.floor));
    step.sizes.push_back(rate.size);
  }
  if (last_.empty()) last_.assign(numbers.begin(), numbers.end());
  for (std::size_t k = 0; k < numbers_; ++k) {
    step.least.push_back(std::min(last_[k], numbers[k]));
    step.most.push_back(std::max(last_[k], numbers[k]));
    last_[k] = numbers[k];
  }
  length_ = std::max(length_, dt);
  if (!blocks_.empty() && blocks_.back().duration < almost_whole * length_)
    blocks_.back().join(step);
  else
    blocks_.push_back(std::move(step));
  if (blocks_.size() > most_blocks) length_ *= 2;
  join_up_to(almost_whole * length_);
  time_ += dt;
  if (!knows()) return;
  if (const auto series = find_growth()) {
    growth_ = static_cast<double>(*series);
    time_of_growth_ = time_;
  }
}

std::size_t Steadiness::whole_blocks() const {
  const bool last_is_whole = !blocks_.empty() && blocks_.back().duration >= almost_whole * length_;
  return last_is_whole || blocks_.empty() ? blocks_.size() : blocks_.size() - 1;
}

// Joins neighbours so that no block but the last is shorter.
void Steadiness::join_up_to(double duration) {
  std::size_t kept = 0;
  for (std::size_t k = 1; k < blocks_.size(); ++k) {
    if (blocks_[kept].duration < duration)
      blocks_[kept].join(blocks_[k]);
    else if (++kept != k)
      blocks_[kept] = std::move(blocks_[k]);
  }
  blocks_.resize(std::min(blocks_.size(), kept + 1));
}

// Numbers of one kind: what rounding leaves of the largest may be all that there is of another.
double Steadiness::floor_of(std::size_t series) const {
  double largest = 0;
  for (const Block& block : blocks_)
    for (std::size_t k = rates_; series >= rates_ && k < count(); ++k)
      largest = std::max({largest, std::abs(block.least[k]), std::abs(block.most[k])});
  return rounding * largest;
}

// Least squares of ln(series) against the middle of the blocks.
std::optional<Steadiness::Slope> Steadiness::slope(std::size_t series,
                                                   std::size_t last_blocks) const {
  std::vector<double> times, logarithms;
  const double floor = floor_of(series);
  double time = 0;
  for (std::size_t k = whole_blocks() - last_blocks; k < whole_blocks(); ++k) {
    const Block& block = blocks_[k];
    const double size = std::max(block.most[series] - block.least[series], floor);
    if (size > 0) {
      times.push_back(time + 0.5 * block.duration);
      logarithms.push_back(std::log(size));
    }
    time += block.duration;
  }
  const auto n = static_cast<double>(times.size());
  if (times.size() < fewest_in_a_fit) return std::nullopt;
  double mean_t = 0, mean_y = 0, tt = 0, ty = 0, yy = 0;
  for (std::size_t i = 0; i < times.size(); ++i) {
    mean_t += times[i] / n;
    mean_y += logarithms[i] / n;
  }
  for (std::size_t i = 0; i < times.size(); ++i) {
    const double t = times[i] - mean_t, y = logarithms[i] - mean_y;
    tt += t * t;
    ty += t * y;
    yy += y * y;
  }
  const double left = std::max(0.0, yy - ty * ty / tt);
  return Slope{ty / tt, std::sqrt(left / (n - 2) / tt)};
}

bool Steadiness::grows(std::size_t series, std::size_t last_blocks, double errors) const {
  const auto fit = slope(series, last_blocks);
  if (!fit || !fit->exceeds(errors, 1)) return false;
  double time = 0;
  for (std::size_t k = whole_blocks() - last_blocks; k < whole_blocks(); ++k)
    time += blocks_[k].duration;
  return fit->value * time > least_growth;
}

std::size_t Steadiness::half() const {
  return std::max(fewest_blocks, whole_blocks() / 2);
}
std::size_t Steadiness::quarter() const {
  return std::max(fewest_in_a_fit, whole_blocks() / 4);
}

std::optional<std::size_t> Steadiness::growing() const {
  if (growth_ < 0 || time_of_growth_ < kept_in_mind * time_) return std::nullopt;
  return static_cast<std::size_t>(growth_);
}

std::optional<std::size_t> Steadiness::find_growth() const {
  for (std::size_t k = 0; k < count(); ++k)
    if (grows(k, half(), errors_of_a_half) || grows(k, quarter(), errors_of_a_quarter)) return k;
  return std::nullopt;
}

double Steadiness::decay(std::size_t series) const {
  double slowest = std::numeric_limits<double>::infinity();
  for (const std::size_t last_blocks : {half(), quarter()}) {
    const auto fit = slope(series, last_blocks);
    slowest = fit && fit->exceeds(errors_of_a_decay, -1) ? std::min(slowest, -fit->value) : 0;
  }
  return slowest;
}

double Steadiness::size(std::size_t rate) const {
  double largest = 0;
  for (std::size_t k = whole_blocks() - half(); k < blocks_.size(); ++k)
    largest = std::max(largest, blocks_[k].sizes[rate]);
  return largest;
}

// Two lists: the last numbers, and block after block behind what there is one of.
void Steadiness::visit_state(StateVisitor& visitor, double now) {
  visitor.visit("steadiness_numbers", last_);
  std::vector<double> list{length_, time_, time_of_growth_, growth_};
  const std::size_t head = list.size();
  for (const Block& block : blocks_) {
    list.push_back(block.duration);
    list.insert(list.end(), block.least.begin(), block.least.end());
    list.insert(list.end(), block.most.begin(), block.most.end());
    list.insert(list.end(), block.sizes.begin(), block.sizes.end());
  }
  visitor.visit("steadiness", list);
  if (!visitor.restores()) return;
  const std::size_t size = 1 + 2 * count() + rates_;
  const std::size_t blocks = list.size() < head ? 0 : (list.size() - head) / size;
  if (last_.size() != numbers_ && !(last_.empty() && blocks == 0))
    visitor.refuse("steadiness_numbers", "has another length than that of this run");
  if (list.size() != head + blocks * size || blocks > most_blocks ||
      !restore(list, head, size, now))
    visitor.refuse("steadiness", "is not that of this run");
}

// Whether the numbers can be those of a run at time `now`.
bool Steadiness::restore(std::span<const double> list, std::size_t head, std::size_t size,
                         double now) {
  length_ = list[0];
  time_ = list[1];
  time_of_growth_ = list[2];
  growth_ = list[3];
  blocks_.clear();
  double duration = 0;
  for (std::size_t at = head; at < list.size(); at += size) {
    const auto least = list.begin() + static_cast<std::ptrdiff_t>(at) + 1;
    const auto most = least + static_cast<std::ptrdiff_t>(count());
    const auto sizes = most + static_cast<std::ptrdiff_t>(count());
    blocks_.push_back({list[at],
                       {least, most},
                       {most, sizes},
                       {sizes, sizes + static_cast<std::ptrdiff_t>(rates_)}});
    duration += list[at];
  }
  const double rounding = 1e-6 * now;  // of sums of many steps
  const bool has_grown =
      growth_ >= 0 && growth_ < static_cast<double>(count()) && growth_ == std::floor(growth_);
  return length_ >= 0 && length_ <= now + rounding && time_ <= now + rounding &&
         std::abs(time_ - duration) <= rounding && time_of_growth_ >= 0 &&
         time_of_growth_ <= time_ && (has_grown || growth_ == -1) &&
         std::ranges::all_of(blocks_, &Block::is_possible);
}

bool Steadiness::Block::is_possible() const {
  for (std::size_t k = 0; k < most.size(); ++k)
    if (least[k] > most[k]) return false;
  return duration > 0 && std::ranges::all_of(sizes, [](double size) { return size >= 0; });
}

}  // namespace hodge::sim
