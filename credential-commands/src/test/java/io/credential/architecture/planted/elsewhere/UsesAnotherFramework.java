package io.credential.architecture.planted.elsewhere;

import org.springframework.beans.factory.InitializingBean;

/** Breaks: no framework but JDBC. */
public abstract class UsesAnotherFramework implements InitializingBean {}
