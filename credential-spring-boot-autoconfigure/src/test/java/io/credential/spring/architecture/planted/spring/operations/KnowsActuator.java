package io.credential.spring.architecture.planted.spring.operations;

import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/** Breaks: operations know neither HTTP nor their wiring. */
public final class KnowsActuator implements OperationResponseBody {}
