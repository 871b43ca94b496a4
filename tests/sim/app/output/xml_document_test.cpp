#include "sim/app/output/xml_document.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "linalg/base/errors.hpp"
#include "tests/support/expect_error.hpp"

namespace hodge::sim {
namespace {

std::string complaint_about(const std::string& text) {
  return test::message_of<ConfigError>([&] { (void)read_xml(text, "a.xml"); });
}

TEST(XmlDocument, has_elements_attributes_and_bare_text) {
  const std::string text =
      "\xef\xbb\xbf<?xml version=\"1.0\"?>\n<!-- a <b> -->\n<a one = \"1\" "
      "two='&lt;&#65;&#x42;&apos;\"'>\n"
      "  <b/> <!-- in between --> <c>12\n13</c>\n</a>\n";
  const XmlElement root = read_xml(text, "a.xml");
  EXPECT_EQ(root.name, "a");
  EXPECT_EQ(root.line, 3u);
  EXPECT_EQ(*root.find("one"), "1");
  EXPECT_EQ(*root.find("two"), "<AB'\"");
  EXPECT_EQ(root.find("three"), nullptr);
  ASSERT_EQ(root.children.size(), 2u);
  EXPECT_EQ(root.child("c")->text, "12\n13");
  EXPECT_EQ(root.child("c")->line, 4u);
  EXPECT_EQ(root.child("d"), nullptr);
}

TEST(XmlDocument, may_end_behind_a_tag_of_a_name) {
  const std::string text = "<a><b>1</b>\n<last kind=\"raw\">_\0<&<";
  const XmlElement root = read_xml(text, "a.xml", "last");
  ASSERT_EQ(root.children.size(), 2u);
  EXPECT_TRUE(root.children[1].text.starts_with('_'));
  EXPECT_EQ(complaint_about(text), "a.xml:2: the file is cut off");
}

TEST(XmlDocument, that_is_cut_off_anywhere_is_refused) {
  const std::string text = "<?xml version=\"1.0\"?>\n<a b=\"c\">\n  <d e='f'/>\n  <g>1</g>\n</a>";
  for (std::size_t bytes = 0; bytes < text.size(); ++bytes)
    EXPECT_THROW((void)read_xml(text.substr(0, bytes), "a.xml"), ConfigError) << bytes;
  EXPECT_EQ(read_xml(text, "a.xml").children.size(), 2u);
}

TEST(XmlDocument, names_the_line_of_what_is_wrong) {
  using testing::HasSubstr;
  EXPECT_EQ(complaint_about("<a>\n<b></a>"),
            "a.xml:2: expected the end of 'b' in place of that of 'a'");
  EXPECT_EQ(complaint_about("<a>\n</a>\nx"), "a.xml:3: bytes stand behind the last element");
  EXPECT_THAT(complaint_about("<a b=1/>"), HasSubstr("expected \" behind b="));
  EXPECT_THAT(complaint_about("<a b=\"1\"c=\"2\"/>"), HasSubstr("expected a blank behind"));
  EXPECT_THAT(complaint_about("<a b=\"1\" b=\"2\"/>"),
              HasSubstr("the attribute 'b' stands there twice"));
  EXPECT_THAT(complaint_about("<a b=\"<\"/>"), HasSubstr("< within an attribute"));
  EXPECT_THAT(complaint_about("<a b=\"&bomb;\"/>"), HasSubstr("unknown entity 'bomb'"));
  EXPECT_THAT(complaint_about("<a b=\"&amp\"/>"), HasSubstr("unknown entity"));
  EXPECT_THAT(complaint_about("<a><![CDATA[x]]></a>"), HasSubstr("expected none"));
  EXPECT_THAT(complaint_about("binary"), HasSubstr("expected an element of XML"));
}

TEST(XmlDocument, refuses_entities_depth_and_numbers_without_end) {
  EXPECT_THAT(
      complaint_about("<!DOCTYPE a [<!ENTITY b \"bb\"><!ENTITY c \"&b;&b;\">]>\n<a d=\"&c;\"/>"),
      testing::HasSubstr("a declaration of a document type"));
  std::string deep, many = "<a>";
  for (int i = 0; i < 100000; ++i) deep += "<a>";
  EXPECT_THAT(complaint_about(deep), testing::HasSubstr("more than 16 deep"));
  for (int i = 0; i < (1 << 20); ++i) many += "<b/>";
  EXPECT_THAT(complaint_about(many + "</a>"), testing::HasSubstr("more than 2^20 elements"));
}

}  // namespace
}  // namespace hodge::sim
