package io.credential.spring.console.internal.endpoint;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import io.credential.ratelimit.RateLimit;
import io.credential.spring.console.internal.web.Fingerprint;
import io.credential.spring.console.internal.web.Parameters;
import io.credential.spring.console.internal.web.Problem;
import io.credential.storage.internal.JsonText;
import io.credential.webhook.delivery.Endpoint;
import io.credential.webhook.delivery.PayloadFormat;
import io.credential.webhook.delivery.SignatureScheme;
import io.credential.webhook.event.WebhookEventType;

/**
 * The form of an endpoint with what was entered, without its secret and its headers.
 *
 * @param endpoint the endpoint that is edited; null for a new one
 * @param values the values by their fields; a field without one is empty
 * @param selected the event types of the catalog that are selected
 * @param catalog the event types that can be selected
 * @param version stands for the state of the endpoint that the form was filled with; empty for a new one
 * @param problem what was wrong with the values; null if they were not sent yet
 */
public record EndpointForm(
        @Nullable Endpoint endpoint,
        Map<String, String> values,
        Set<String> selected,
        List<WebhookEventType> catalog,
        String version,
        @Nullable Problem problem) {

    static final String ID = "id";
    static final String URL = "url";
    static final String TYPES = "types";
    static final String SELECTED = "type";
    static final String AUDIENCE = "audience";
    static final String SCHEME = "scheme";
    static final String SIGNATURE_HEADER = "signature-header";
    static final String FORMAT = "format";
    static final String NAME = "name";
    static final String METADATA = "metadata";
    static final String LIMIT = "limit";
    static final String WINDOW = "window";

    private static final List<String> TEXTS =
            List.of(ID, URL, AUDIENCE, SCHEME, SIGNATURE_HEADER, FORMAT, NAME, METADATA, LIMIT, WINDOW);

    /** Returns the form for a new endpoint. */
    static EndpointForm blank(List<WebhookEventType> catalog) {
        Map<String, String> values =
                Map.of(SCHEME, SignatureScheme.CREDENTIAL.text(), FORMAT, PayloadFormat.RAW.text());
        return new EndpointForm(null, values, Set.of(), catalog, "", null);
    }

    /**
     * Returns the form for an endpoint.
     *
     * @param url as the operator may see it in full; null to leave the field empty
     */
    static EndpointForm of(Endpoint endpoint, @Nullable String url, List<WebhookEventType> catalog) {
        Set<String> selected = new HashSet<>(endpoint.eventTypes());
        selected.retainAll(catalog.stream().map(WebhookEventType::name).toList());
        Map<String, String> values = new LinkedHashMap<>();
        put(values, URL, url);
        put(
                values,
                TYPES,
                endpoint.eventTypes().stream()
                        .filter(type -> !selected.contains(type))
                        .collect(Collectors.joining("\n")));
        put(values, SCHEME, endpoint.scheme().text());
        String header = endpoint.signatureHeader();
        put(
                values,
                SIGNATURE_HEADER,
                header != null && header.equals(endpoint.scheme().signatureHeader()) ? null : header);
        put(values, FORMAT, endpoint.payloadFormat().text());
        put(values, NAME, endpoint.name());
        put(values, METADATA, endpoint.metadata().isEmpty() ? null : JsonText.write(endpoint.metadata()));
        RateLimit limit = endpoint.rateLimit();
        put(values, LIMIT, limit == null ? null : String.valueOf(limit.limit()));
        put(values, WINDOW, limit == null ? null : String.valueOf(limit.windowSeconds()));
        return new EndpointForm(
                endpoint, values, selected, catalog, Fingerprint.of(state(endpoint, values, selected)), null);
    }

    /** Returns what the form shows of the endpoint, and when it was created: another one may have its id. */
    private static String state(Endpoint endpoint, Map<String, String> values, Set<String> selected) {
        return String.join(
                "\n",
                values.toString(),
                new TreeSet<>(selected).toString(),
                endpoint.createdAt().toString());
    }

    private static void put(Map<String, String> values, String field, @Nullable String value) {
        if (value != null) {
            values.put(field, value);
        }
    }

    /** Returns this form with what was entered, which was rejected. */
    EndpointForm rejected(Parameters entered, Problem problem) {
        Map<String, String> values = new LinkedHashMap<>();
        TEXTS.forEach(field -> put(values, field, entered.text(field).orElse(null)));
        put(values, TYPES, String.join("\n", entered.lines(TYPES)));
        return new EndpointForm(endpoint, values, Set.copyOf(entered.all(SELECTED)), catalog, version, problem);
    }

    /** Returns the value of a field; empty if it has none. */
    public String value(String field) {
        return values.getOrDefault(field, "");
    }

    /** Returns the path that the form is sent to, below the path of the console. */
    public String path() {
        return endpoint == null ? EndpointsSection.NEW : EndpointActions.path(endpoint) + "/edit";
    }

    /** Returns the path of the page that the form was opened from, below the path of the console. */
    public String back() {
        return endpoint == null ? EndpointsSection.PATH : EndpointActions.path(endpoint);
    }
}
