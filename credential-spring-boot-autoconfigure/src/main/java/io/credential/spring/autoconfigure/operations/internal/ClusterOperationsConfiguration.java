package io.credential.spring.autoconfigure.operations.internal;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import io.credential.internal.cluster.Leadership;
import io.credential.internal.cluster.LiveNodes;
import io.credential.seal.internal.Keyring;
import io.credential.spring.autoconfigure.cluster.internal.HostName;
import io.credential.spring.autoconfigure.properties.CredentialProperties;
import io.credential.spring.operations.internal.ClusterOperations;
import io.credential.storage.internal.CredentialDatabase;

/** Imported by those who show the nodes, if there are a database and a keyring. */
@Configuration(proxyBeanMethods = false)
public class ClusterOperationsConfiguration {

    /** @param leadership exists only if something needs a leader; otherwise, every node may do everything */
    @Bean
    ClusterOperations credentialClusterOperations(
            CredentialProperties properties,
            ObjectProvider<Leadership> leadership,
            CredentialDatabase database,
            Keyring keyring) {
        return new ClusterOperations(
                HostName.nodeName(properties.cluster()),
                leadership.getIfAvailable(Leadership::singleNode),
                new LiveNodes(database, keyring));
    }
}
