package io.credential.architecture.planted.elsewhere;

/** Breaks: only known packages. */
public final class OutsideEveryPackage {}
