package io.credential.auditlog;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import io.credential.auditlog.internal.ChainLimits;

/**
 * The ends of all chains of the audit log at some time. Export the text form, and keep it where nobody who can write the
 * database can change it: the log can later be verified against it. It contains no data of the entries.
 *
 * @param ends in the order of their chains, at most 256
 * @since 0.1.0
 */
public record AuditHead(List<End> ends) {

    private static final String FORMAT = "audit1";
    private static final int MAX_LENGTH = 32_768;
    private static final Pattern END = Pattern.compile("([1-9]\\d{0,2}):([1-9]\\d{0,17}):([0-9a-f]{64})");

    /** The list is copied. */
    public AuditHead {
        ends = List.copyOf(Objects.requireNonNull(ends, "The ends must not be null"));
        if (ends.size() > ChainLimits.MAX_CHAINS) {
            throw new IllegalArgumentException("An audit head has at most " + ChainLimits.MAX_CHAINS + " chains");
        }
        for (int i = 1; i < ends.size(); i++) {
            if (ends.get(i - 1).chain >= ends.get(i).chain) {
                throw new IllegalArgumentException("The chains of an audit head must be in ascending order");
            }
        }
    }

    /**
     * The end of a chain.
     *
     * @param chain the number of the chain, 1 to 256
     * @param sequence the number of its last entry, 1 to 999,999,999,999,999,999
     * @param digest the digest of this entry, which depends on all entries before it: 64 lower-case hexadecimal digits
     */
    public record End(long chain, long sequence, String digest) {

        public End {
            Objects.requireNonNull(digest, "The digest must not be null");
            if (chain > ChainLimits.MAX_CHAINS
                    || !END.matcher(text(chain, sequence, digest)).matches()) {
                throw malformed();
            }
        }

        private static String text(long chain, long sequence, String digest) {
            return chain + ":" + sequence + ":" + digest;
        }

        @Override
        public String toString() {
            return text(chain, sequence, digest);
        }
    }

    /**
     * Parses the text form.
     *
     * @throws IllegalArgumentException if the text is malformed
     */
    public static AuditHead parse(String text) {
        Objects.requireNonNull(text, "The text must not be null");
        String[] parts = text.length() <= MAX_LENGTH ? text.split(";", -1) : new String[0];
        if (parts.length == 0 || !parts[0].equals(FORMAT)) {
            throw malformed();
        }
        List<End> ends = new ArrayList<>();
        for (int i = 1; i < parts.length; i++) {
            Matcher end = END.matcher(parts[i]);
            if (!end.matches()) {
                throw malformed();
            }
            ends.add(new End(Long.parseLong(end.group(1)), Long.parseLong(end.group(2)), end.group(3)));
        }
        return new AuditHead(ends);
    }

    private static IllegalArgumentException malformed() {
        return new IllegalArgumentException(
                "An audit head must be '" + FORMAT + "', followed by ';<chain>:<sequence>:<digest>' for each chain");
    }

    /** Returns the text form, one line of ASCII characters without spaces. */
    @Override
    public String toString() {
        return ends.stream().map(end -> ";" + end).collect(Collectors.joining("", FORMAT, ""));
    }
}
