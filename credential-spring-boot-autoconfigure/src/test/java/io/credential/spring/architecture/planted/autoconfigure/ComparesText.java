package io.credential.spring.architecture.planted.autoconfigure;

import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.context.annotation.Configuration;

/** Breaks: conditions read values as properties do. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnBooleanProperty("credential.planted.enabled")
public class ComparesText {}
