#include "sim/base/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sim/base/text.hpp"

namespace hodge::sim {
namespace {

std::string cell_text(const Json& row, const Column& column) {
  const auto value = row.find(column.key);
  if (value == row.end() || value->is_null()) return "-";
  if (value->is_string()) return value->get<std::string>();
  if (value->is_boolean()) return value->get<bool>() ? "yes" : "no";
  if (value->is_number_float())
    return fmt::format(fmt::runtime(column.format), value->get<double>());
  return value->dump();
}

std::string csv_cell(const Json& row, const Column& column) {
  const auto value = row.find(column.key);
  if (value == row.end() || value->is_null()) return "";
  if (value->is_number_float()) return number_text(value->get<double>());
  if (!value->is_string()) return cell_text(row, column);
  const std::string text = value->get<std::string>();
  return text.find_first_of(",\"\n") == std::string::npos ? text : csv_quoted(text);
}

// Characters, not bytes: headings have Greek letters.
std::size_t width_of(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  }));
}

std::string padded(const std::string& text, std::size_t width, bool right) {
  const std::string space(width - width_of(text), ' ');
  return right ? space + text : text + space;
}

}  // namespace

Table::Table(std::string name, std::string title, std::vector<Column> columns)
    : name_(std::move(name)), title_(std::move(title)), columns_(std::move(columns)) {}

void Table::add(Json row) {
  rows_.push_back(std::move(row));
}

std::vector<std::vector<std::string>> Table::cells() const {
  std::vector<std::vector<std::string>> cells(1 + rows_.size());
  for (const Column& column : columns_) {
    cells[0].push_back(column.heading);
    for (std::size_t i = 0; i < rows_.size(); ++i)
      cells[i + 1].push_back(cell_text(rows_[i], column));
  }
  return cells;
}

std::string Table::text() const {
  const auto lines = cells();
  std::vector<std::string> text(lines.size());
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    std::size_t width = 0;
    for (const auto& line : lines) width = std::max(width, width_of(line[c]));
    const bool words = std::any_of(rows_.begin(), rows_.end(), [&](const Json& row) {
      const auto value = row.find(columns_[c].key);
      return value != row.end() && value->is_string();
    });
    for (std::size_t i = 0; i < lines.size(); ++i)
      text[i] += "  " + padded(lines[i][c], width, !words);
  }
  std::string all;
  for (std::string& line : text) {
    line.erase(line.find_last_not_of(' ') + 1);
    all += line + "\n";
  }
  return all;
}

std::string Table::csv() const {
  std::string text;
  for (const Column& column : columns_) text += (text.empty() ? "" : ",") + column.key;
  text += "\n";
  for (const Json& row : rows_) {
    for (std::size_t c = 0; c < columns_.size(); ++c)
      text += (c == 0 ? "" : ",") + csv_cell(row, columns_[c]);
    text += "\n";
  }
  return text;
}

std::string Table::markdown() const {
  const auto lines = cells();
  std::string text = fmt::format("### {}\n\n", title_);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    text += fmt::format("| {} |\n", fmt::join(lines[i], " | "));
    if (i > 0) continue;
    text += "|";
    for (std::size_t c = 0; c < columns_.size(); ++c) text += "---|";
    text += "\n";
  }
  return text;
}

Json Table::json() const {
  Json columns = Json::array();
  for (const Column& column : columns_)
    columns.push_back({{"key", column.key}, {"heading", column.heading}});
  return {{"title", title_}, {"columns", columns}, {"rows", rows_}};
}

}  // namespace hodge::sim
