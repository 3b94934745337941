// Which of the two widths of ids: included inside an anonymous namespace, after conjunction_of.

void conjunction(const std::uint64_t* columns, const IdList& ids, std::uint64_t* uses) {
  ids.wide ? conjunction_of(columns, static_cast<const std::uint32_t*>(ids.ids), ids.size, uses)
           : conjunction_of(columns, static_cast<const std::uint16_t*>(ids.ids), ids.size, uses);
}
