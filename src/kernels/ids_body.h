// Which of the two widths of ids: included inside an anonymous namespace, after forget_of and conjunction_of.

bool forget(const IdList& ids, std::uint8_t* states, DrawKey key, std::uint32_t once, std::uint8_t lowest,
            std::uint64_t* released) {
  if (once == 0) return false;
  return ids.wide
             ? forget_of(static_cast<const std::uint32_t*>(ids.ids), states, ids.size, key, once, lowest, released)
             : forget_of(static_cast<const std::uint16_t*>(ids.ids), states, ids.size, key, once, lowest, released);
}

void conjunction(const std::uint64_t* columns, const IdList& ids, std::uint64_t* uses) {
  ids.wide ? conjunction_of(columns, static_cast<const std::uint32_t*>(ids.ids), ids.size, uses)
           : conjunction_of(columns, static_cast<const std::uint16_t*>(ids.ids), ids.size, uses);
}
