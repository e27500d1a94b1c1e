package io.credential.architecture.planted.tests;

import org.junit.jupiter.api.Timeout;

/** Breaks: tests have no deadline. */
@Timeout(1)
public final class HasADeadline {}
