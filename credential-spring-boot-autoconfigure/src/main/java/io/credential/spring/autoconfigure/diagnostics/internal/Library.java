package io.credential.spring.autoconfigure.diagnostics.internal;

import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.util.ClassUtils;

import io.credential.spring.autoconfigure.properties.ApiKeysProperties;
import io.credential.spring.autoconfigure.properties.AuditLogProperties;
import io.credential.spring.autoconfigure.properties.ConsoleProperties;
import io.credential.spring.autoconfigure.properties.WebhookDispatcherProperties;
import io.credential.spring.autoconfigure.properties.WebhookInboundProperties;
import io.credential.spring.autoconfigure.properties.WebhookInboxProperties;
import io.credential.spring.autoconfigure.properties.WebhookSignerProperties;

/** A library that an application may leave out, with its properties. */
public enum Library {
    /** API keys. */
    API_KEYS(
            "io.credential.apikey.ApiKeyRegistries",
            "credential-api-keys",
            "credential-spring-boot-starter-api-keys",
            "credential.api-keys",
            ApiKeysProperties.class),
    /** Verification of incoming webhooks. */
    INBOUND_WEBHOOKS(
            "io.credential.webhook.signature.WebhookVerifier",
            "credential-webhook-signature",
            "credential-spring-boot-starter-webhook-receiver",
            "credential.webhook.inbound.*",
            WebhookInboundProperties.class),
    /** Signers of outgoing webhooks. */
    SIGNERS(
            "io.credential.webhook.signature.WebhookSigner",
            "credential-webhook-signature",
            "credential-spring-boot-starter-webhook-sender",
            "credential.webhook.signers.*",
            WebhookSignerProperties.class),
    /** The webhook dispatcher. */
    DISPATCHER(
            "io.credential.webhook.delivery.WebhookDispatcher",
            "credential-webhook-delivery",
            "credential-spring-boot-starter-webhook-sender",
            "credential.webhook.dispatcher",
            WebhookDispatcherProperties.class),
    /** The inbox of incoming webhooks. */
    INBOX(
            "io.credential.webhook.inbox.WebhookInbox",
            "credential-webhook-inbox",
            "credential-spring-boot-starter",
            "credential.webhook.inbox",
            WebhookInboxProperties.class),
    /** The audit log in the database. */
    AUDIT_LOG(
            "io.credential.auditlog.AuditLog",
            "credential-audit-log",
            "credential-spring-boot-starter",
            "credential.audit.jdbc",
            AuditLogProperties.class),
    /** The operator's console. */
    CONSOLE(
            "io.credential.spring.console.ConsoleAutoConfiguration",
            "credential-spring-boot-console",
            "credential-spring-boot-starter-console",
            "credential.console",
            ConsoleProperties.class);

    private final String type;
    private final String artifact;
    private final String starter;
    private final String prefix;
    private final Class<?> properties;

    /**
     * @param type a type of the library
     * @param prefix of the properties, with an asterisk for a name that the user chooses
     * @param properties what the properties are bound to; refers to types of the library
     */
    Library(String type, String artifact, String starter, String prefix, Class<?> properties) {
        this.type = type;
        this.artifact = artifact;
        this.starter = starter;
        this.prefix = prefix;
        this.properties = properties;
    }

    /** Returns whether it is on the class path. */
    public boolean isPresent() {
        return ClassUtils.isPresent(type, Library.class.getClassLoader());
    }

    String prefix() {
        return prefix;
    }

    Class<?> properties() {
        return properties;
    }

    boolean owns(ConfigurationPropertyName name) {
        return ConfigurationPropertyName.of(prefix.replace(".*", "")).isAncestorOf(name);
    }

    String artifact() {
        return artifact;
    }

    /** Returns what to add to the class path. */
    public String remedy() {
        return "Add 'io.credential:" + artifact + "' or 'io.credential:" + starter
                + "' to the class path, or remove the property.";
    }
}
