package io.credential.spring.autoconfigure.egress;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.boot.ssl.SslOptions;

import io.credential.spring.autoconfigure.diagnostics.CredentialConfigurationException;
import io.credential.webhook.http.HttpWebhookTransport;

/**
 * Lets webhooks be sent with the certificates of an SSL bundle that a property names.
 *
 * @since 0.1.0
 */
public final class ConfiguredSslBundle {

    private ConfiguredSslBundle() {}

    /**
     * @param property where the bundle is named
     * @param name of the bundle
     * @throws CredentialConfigurationException when the bundle cannot be used
     */
    public static void use(
            HttpWebhookTransport.Builder transport,
            ObjectProvider<SslBundles> sslBundles,
            String property,
            String name) {
        SslBundles bundles = sslBundles.getIfAvailable();
        if (bundles == null || !bundles.getBundleNames().contains(name)) {
            throw new CredentialConfigurationException(
                    "The property '" + property + "' is '" + name + "', but there is no SSL bundle of this name.",
                    "Define it under 'spring.ssl.bundle.pem." + name + "' or 'spring.ssl.bundle.jks." + name
                            + "', or remove the property to trust what the JDK trusts.");
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
