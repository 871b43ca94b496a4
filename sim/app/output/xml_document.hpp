// The elements of an XML text, of the kind that VTK and hodge write.
//
// Read strictly: tags that close in order, attributes once each and in quotes, one root. Comments
// and processing instructions are left out. Of entities only the five of XML itself and numbers of
// ASCII characters are known, and of document types only the declaration of frames
// (vtk_frame.hpp), so that nothing in a text grows. Memory: at most a few times that of the text.
//
// Errors: ConfigError "FILE:LINE: what".
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace hodge::sim {

struct XmlElement {
  std::string name;
  std::map<std::string, std::string> attributes{};
  std::vector<XmlElement> children{};
  std::string_view text{};  // what is bare in it, as it stands in the text; in one piece
  std::size_t line = 0;

  // Null where there is none.
  const std::string* find(const std::string& attribute) const;
  const XmlElement* child(std::string_view of_name) const;
};

// `file`: for messages. The text must outlive the element. With `last`, the text may end behind the
// start tag of an element of this name, whose own text is then all of the rest.
XmlElement read_xml(std::string_view text, const std::string& file, std::string_view last = {});

// "FILE:LINE: what" of an element.
[[noreturn]] void refuse_xml(const std::string& file, const XmlElement& at,
                             const std::string& what);

}  // namespace hodge::sim
