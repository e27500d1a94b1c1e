package io.credential.architecture.planted.ratelimit;

import io.credential.architecture.planted.seal.StoresItsCells;

/** Breaks: rate limits use storage only. */
public record SealsItsBuckets(StoresItsCells cells) {}
