package io.credential.spring.autoconfigure.internal.egress;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.boot.ssl.SslOptions;

import io.credential.spring.autoconfigure.diagnostics.CredentialConfigurationException;
import io.credential.webhook.http.internal.HttpWebhookTransport;

/** Adds the certificates of a configured SSL bundle to a transport. */
public final class ConfiguredSslBundle {

    private ConfiguredSslBundle() {}

    /**
     * @param property where the bundle is configured
     * @param name of the bundle
     * @throws CredentialConfigurationException if the bundle cannot be used
     */
    public static void use(
            HttpWebhookTransport.Builder transport,
            ObjectProvider<SslBundles> sslBundles,
            String property,
            String name) {
        SslBundles bundles = sslBundles.getIfAvailable();
        if (bundles == null || !bundles.getBundleNames().contains(name)) {
            throw new CredentialConfigurationException(
                    "The property '" + property + "' is '" + name + "', but there is no SSL bundle with this name.",
                    "Define it under 'spring.ssl.bundle.pem." + name + "' or 'spring.ssl.bundle.jks." + name
                            + "', or remove the property to use the JDK's trust store.");
        }
        try {
            SslBundle bundle = bundles.getBundle(name);
            SslOptions options = bundle.getOptions();
            transport.tls(bundle.createSslContext(), options.getEnabledProtocols(), options.getCiphers());
        } catch (RuntimeException e) {
            throw new CredentialConfigurationException(
                    "The SSL bundle '" + name + "' of the property '" + property + "' cannot be used: " + e.getMessage()
                            + ".",
                    "Correct 'spring.ssl.bundle.pem." + name + "' or 'spring.ssl.bundle.jks." + name + "'.",
                    e);
        }
    }
}
