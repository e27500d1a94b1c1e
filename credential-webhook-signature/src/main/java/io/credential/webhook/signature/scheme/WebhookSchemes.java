package io.credential.webhook.signature.scheme;

import java.util.List;

/**
 * The schemes of this library.
 *
 * @since 0.1.0
 */
public final class WebhookSchemes {

    private WebhookSchemes() {}

    /** Returns all of them. */
    public static List<WebhookScheme> all() {
        return List.of(standardWebhooks(), stripe(), gitHub(), shopify(), slack());
    }

    /** Returns {@code standard-webhooks}; keys are {@code whsec_} secrets and {@code whpk_} public keys. */
    public static WebhookScheme standardWebhooks() {
        return new StandardWebhooksScheme();
    }

    /** Returns {@code stripe}; keys are the signing secrets of the endpoint, with their {@code whsec_}. */
    public static WebhookScheme stripe() {
        return new StripeScheme();
    }

    /** Returns {@code github}; keys are the secrets of the webhook. */
    public static WebhookScheme gitHub() {
        return new GitHubScheme();
    }

    /** Returns {@code shopify}; keys are the client secrets of the app. */
    public static WebhookScheme shopify() {
        return new ShopifyScheme();
    }

    /** Returns {@code slack}; keys are the signing secrets of the app. */
    public static WebhookScheme slack() {
        return new SlackScheme();
    }
}
