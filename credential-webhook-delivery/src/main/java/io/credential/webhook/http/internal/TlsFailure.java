package io.credential.webhook.http.internal;

import java.security.cert.CertPathBuilderException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertPathValidatorException.BasicReason;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.security.cert.CertificateRevokedException;
import java.security.cert.PKIXReason;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

import io.credential.webhook.http.FailureReason;

/** Tells why a TLS handshake failed. */
enum TlsFailure {
    EXPIRED(FailureReason.TLS_EXPIRED, "The certificate of %s has expired"),
    NOT_YET_VALID(FailureReason.TLS_EXPIRED, "The certificate of %s is not valid yet"),
    WRONG_NAME(FailureReason.TLS_WRONG_NAME, "The certificate of %s was issued for another host name"),
    UNTRUSTED(
            FailureReason.TLS_UNTRUSTED,
            "The certificate of %s is not trusted: it is self-signed, or its issuer is unknown or not in its chain"),
    UNFIT(
            FailureReason.TLS_UNTRUSTED,
            "The certificate of %s is not accepted: its key usage or an extension, or those of its issuer, rule it out"),
    REVOKED(FailureReason.TLS_UNTRUSTED, "The certificate of %s was revoked"),
    NOT_TLS(FailureReason.NOT_TLS, "%s does not speak TLS: use http: in the URL, or another port"),
    CLIENT_CERTIFICATE(
            FailureReason.TLS_FAILED,
            "No trusted TLS connection could be made to %s: it requires a client certificate"),
    ALERT(FailureReason.TLS_FAILED, "No trusted TLS connection could be made to %s: it rejected the handshake"),
    CLOSED(FailureReason.CLOSED, "%s closed the connection during the TLS handshake"),
    OTHER(FailureReason.TLS_FAILED, "No trusted TLS connection could be made to %s");

    /** What the HTTP client says, without a cause, when the connection ends. */
    private static final String CLOSED_TEXT = "TLS handshake failed";

    private static final List<String> WRONG_NAME_TEXTS = List.of("No subject alternative", "No name matching");
    private static final List<String> WRONG_USAGE_TEXTS = List.of("Extended key usage", "KeyUsage", "TrustAnchor");
    private static final List<String> CLIENT_CERTIFICATE_ALERTS = List.of("certificate_required", "bad_certificate");

    private final FailureReason reason;
    private final String sentence;

    TlsFailure(FailureReason reason, String sentence) {
        this.reason = reason;
        this.sentence = sentence;
    }

    /** The JDK has exceptions for what is wrong with a certificate; for the rest, only texts tell failures apart. */
    static TlsFailure of(Throwable thrown) {
        List<Throwable> causes = ExchangeFailure.causes(thrown).toList();
        return causes.stream()
                .flatMap(cause -> ofDate(cause).stream())
                .findFirst()
                .orElseGet(() -> causes.stream().anyMatch(TlsFailure::isOfCertificate)
                        ? ofCertificate(causes)
                        : ofHandshake(causes.stream()
                                .map(cause -> String.valueOf(cause.getMessage()))
                                .collect(Collectors.joining("\n"))));
    }

    private static Optional<TlsFailure> ofDate(Throwable cause) {
        CertPathValidatorException.Reason path =
                cause instanceof CertPathValidatorException invalid ? invalid.getReason() : null;
        if (cause instanceof CertificateExpiredException || path == BasicReason.EXPIRED) {
            return Optional.of(EXPIRED);
        }
        if (cause instanceof CertificateNotYetValidException || path == BasicReason.NOT_YET_VALID) {
            return Optional.of(NOT_YET_VALID);
        }
        return cause instanceof CertificateRevokedException || path == BasicReason.REVOKED
                ? Optional.of(REVOKED)
                : Optional.empty();
    }

    private static boolean isOfCertificate(Throwable cause) {
        return cause instanceof CertificateException
                || cause instanceof CertPathValidatorException
                || cause instanceof CertPathBuilderException;
    }

    private static TlsFailure ofCertificate(List<Throwable> causes) {
        if (causes.stream()
                .anyMatch(cause -> cause.getClass() == CertificateException.class && says(WRONG_NAME_TEXTS, cause))) {
            return WRONG_NAME;
        }
        return causes.stream().anyMatch(TlsFailure::isOfContent) ? UNFIT : UNTRUSTED;
    }

    /** Returns whether the chain is complete, and something in a certificate rules it out. */
    private static boolean isOfContent(Throwable cause) {
        return (cause instanceof CertificateException && says(WRONG_USAGE_TEXTS, cause))
                || (cause instanceof CertPathValidatorException invalid
                        && invalid.getReason() == PKIXReason.UNRECOGNIZED_CRIT_EXT);
    }

    private static boolean says(List<String> texts, Throwable cause) {
        return texts.stream().anyMatch(String.valueOf(cause.getMessage())::startsWith);
    }

    private static TlsFailure ofHandshake(String messages) {
        if (messages.equals(CLOSED_TEXT)) {
            return CLOSED;
        }
        String lowerCase = messages.toLowerCase(Locale.ROOT);
        if (lowerCase.contains("unrecognized ssl message") || lowerCase.contains("plaintext connection")) {
            return NOT_TLS;
        }
        if (lowerCase.contains("received fatal alert")) {
            return CLIENT_CERTIFICATE_ALERTS.stream().anyMatch(lowerCase::contains) ? CLIENT_CERTIFICATE : ALERT;
        }
        return OTHER;
    }

    FailureReason reason() {
        return reason;
    }

    /** @param target host and port */
    String describe(String target) {
        return sentence.formatted(target);
    }
}
