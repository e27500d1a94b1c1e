package io.credential.architecture.planted.webhook.delivery.internal.engine;

/** Is there to be used by what must not use it. */
public final class Runs {}
