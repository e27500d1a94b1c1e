package io.credential.spring.autoconfigure.apikeys;

import org.springframework.beans.factory.InitializingBean;
import org.springframework.core.env.Environment;

import io.credential.spring.autoconfigure.diagnostics.CredentialConfigurationException;
import io.credential.spring.autoconfigure.internal.condition.ConditionalOnCredential.Requirement;

/** Stops the startup if owners are to be told about their keys, but nothing tells them. */
final class OwnerEventsCheck implements InitializingBean {

    private final Environment environment;

    OwnerEventsCheck(Environment environment) {
        this.environment = environment;
    }

    @Override
    public void afterPropertiesSet() {
        if (!Requirement.DISPATCHER.isMet(environment) || !Requirement.OPERATIONAL_EVENTS.isMet(environment)) {
            throw new CredentialConfigurationException(
                    "'credential.api-keys.registries.<namespace>.notify-owners' is true, but the webhook dispatcher sends no"
                            + " operational events.",
                    "Set 'credential.webhook.dispatcher.operational-events.enabled' to true, and do not disable the"
                            + " dispatcher; or remove 'notify-owners'.");
        }
    }
}
