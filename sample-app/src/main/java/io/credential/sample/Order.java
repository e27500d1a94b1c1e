package io.credential.sample;

import java.time.Instant;

/** One order. */
record Order(String id, String item, Instant createdAt) {}
