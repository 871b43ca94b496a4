// The tags of the XML files that hodge and VTK write: their names and attributes, in order. Text
// between tags, comments, declarations and end tags are left out.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace hodge::sim {

struct XmlTag {
  std::string name;
  std::map<std::string, std::string> attributes;  // &amp; &lt; &gt; &quot; resolved

  // Empty where there is none.
  std::string attribute(const std::string& key) const;
};

// Stops at the first thing that is no tag.
std::vector<XmlTag> xml_tags(std::string_view text);

}  // namespace hodge::sim
