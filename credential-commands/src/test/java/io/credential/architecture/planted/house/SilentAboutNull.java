package io.credential.architecture.planted.house;

/** Breaks: packages are null-marked. */
public final class SilentAboutNull {}
