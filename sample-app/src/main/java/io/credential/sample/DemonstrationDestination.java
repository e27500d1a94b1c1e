package io.credential.sample;

import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.NoneNestedConditions;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/** Lets the demonstration send webhooks to this server. A transport with an egress proxy or its own certificates wins. */
@Configuration(proxyBeanMethods = false)
@Conditional(DemonstrationDestination.PlainTransport.class)
class DemonstrationDestination {

    @Bean
    DemonstrationTransport demonstrationTransport(Environment environment) {
        return new DemonstrationTransport(environment);
    }

    static final class PlainTransport extends NoneNestedConditions {

        PlainTransport() {
            super(ConfigurationPhase.REGISTER_BEAN);
        }

        @ConditionalOnProperty("credential.webhook.dispatcher.proxy")
        static final class WithProxy {}

        @ConditionalOnProperty("credential.webhook.dispatcher.ssl-bundle")
        static final class WithCertificates {}
    }
}
