package io.credential.spring.autoconfigure.keyring;

import java.security.SecureRandom;

import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.DependsOn;
import org.springframework.context.annotation.Lazy;

import io.credential.cluster.NodePresence;
import io.credential.spring.autoconfigure.cluster.HostName;
import io.credential.spring.autoconfigure.properties.CredentialProperties;
import io.credential.storage.CredentialDatabase;

/**
 * Announces this node before the keyring is opened, so that no other node in single mode replaces it. In cluster mode
 * nodes are meant to be several.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnProperty(name = "credential.mode", havingValue = "single", matchIfMissing = true)
class NodePresenceConfiguration {

    @Bean(initMethod = "announce", destroyMethod = "close")
    @Lazy
    @DependsOn("credentialSchemaInitializer")
    NodePresence credentialNodePresence(CredentialDatabase database, CredentialProperties properties) {
        String nodeId = properties.cluster().nodeId();
        return new NodePresence(database, nodeId.isEmpty() ? HostName.ofThisMachine() : nodeId, new SecureRandom());
    }
}
