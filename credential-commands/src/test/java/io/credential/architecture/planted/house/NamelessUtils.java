package io.credential.architecture.planted.house;

/** Breaks: names say the role. */
public final class NamelessUtils {}
