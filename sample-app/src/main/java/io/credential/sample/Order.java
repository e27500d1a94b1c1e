package io.credential.sample;

import org.jspecify.annotations.Nullable;
import org.springframework.data.annotation.Id;
import org.springframework.data.relational.core.mapping.Table;

/**
 * One order.
 *
 * @param id null until it is saved
 * @param createdAt in unix milliseconds
 */
@Table("orders")
record Order(@Id @Nullable String id, String item, long createdAt) {}
