"""falsum with what people search parameters with. Each module needs its library, which falsum does not."""
