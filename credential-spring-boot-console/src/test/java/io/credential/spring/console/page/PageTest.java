package io.credential.spring.console.page;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.webmvc.test.autoconfigure.AutoConfigureMockMvc;

/** A test of the {@link PageApplication}; all of them share one context. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@AutoConfigureMockMvc
@SpringBootTest(
        classes = PageApplication.class,
        properties = {
            "credential.console.enabled=true",
            "credential.keyring.location=ephemeral:",
            "credential.audit.jdbc.enabled=true",
            "credential.api-keys.registries.live.prefix=lk",
            "credential.api-keys.registries.trial.prefix=tk",
            "credential.api-keys.search.names=true",
            "credential.api-keys.search.scopes=true",
            "credential.api-keys.usage.enabled=true",
            "credential.webhook.inbound.partner.paths=/hooks/partner,/hooks/more",
            "credential.webhook.inbound.partner.keys.v1=0123456789abcdef0123456789abcdef",
            "credential.webhook.inbound.partner.nonce-store=jdbc",
            "credential.webhook.inbound.partner.allow-unmapped=true",
            "credential.webhook.dispatcher.allow-internal-destinations=true",
            "credential.webhook.dispatcher.max-attempts=1",
            "credential.webhook.dispatcher.dispatch-wait=1m",
            "credential.webhook.dispatcher.poll-interval=1h"
        })
@interface PageTest {}
