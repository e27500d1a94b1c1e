package io.credential.spring.autoconfigure.webhook;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.context.annotation.Conditional;

/** Matches when {@code credential.webhook.inbound} names a webhook. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@Conditional(ConfiguredInboundCondition.class)
@interface ConditionalOnConfiguredInbound {}
