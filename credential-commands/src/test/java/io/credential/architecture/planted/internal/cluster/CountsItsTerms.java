package io.credential.architecture.planted.internal.cluster;

import io.github.bucket4j.Bandwidth;

/** Breaks: buckets are those of the rate limits. */
public record CountsItsTerms(Bandwidth bandwidth) {}
