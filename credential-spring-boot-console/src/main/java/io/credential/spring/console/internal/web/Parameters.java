package io.credential.spring.console.internal.web;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

import org.springframework.util.MultiValueMap;

/** The parameters of a request, from its query and its form. A value that is empty counts as missing. */
public final class Parameters {

    private static final int LONGEST = 4096;
    private static final Pattern NUMBER = Pattern.compile("\\d{1,18}");
    private static final Instant LATEST = Instant.parse("9999-12-31T23:59:59.999Z");

    private final Map<String, List<String>> values;

    Parameters(MultiValueMap<String, String> values) {
        this.values = values;
    }

    /**
     * Returns a text without white space around it; empty if it is missing.
     *
     * @throws ConsoleException if it is longer than 4096 characters
     */
    public Optional<String> text(String name) {
        return all(name).stream()
                .map(String::strip)
                .filter(text -> !text.isEmpty())
                .findFirst();
    }

    /**
     * Returns all values of a parameter.
     *
     * @throws ConsoleException if one is longer than 4096 characters
     */
    public List<String> all(String name) {
        List<String> given = values.getOrDefault(name, List.of());
        if (given.stream().anyMatch(text -> text.length() > LONGEST)) {
            throw ConsoleException.badRequest("'" + name + "' is longer than " + LONGEST + " characters.");
        }
        return given;
    }

    /**
     * Returns a text that must be given.
     *
     * @throws ConsoleException if it is missing or too long
     */
    public String required(String name) {
        return text(name).orElseThrow(() -> ConsoleException.badRequest("'" + name + "' must not be empty."));
    }

    /**
     * Returns a whole number that is not negative; empty if it is missing.
     *
     * @throws ConsoleException if it is something else
     */
    public Optional<Long> number(String name) {
        return text(name).map(text -> {
            if (!NUMBER.matcher(text).matches()) {
                throw ConsoleException.badRequest("'" + name + "' must be a whole number.");
            }
            return Long.valueOf(text);
        });
    }

    /**
     * Returns a time from 1970 to 9999, written in ISO 8601, in UTC. Empty if it is missing.
     *
     * @throws ConsoleException if it is something else
     */
    public Optional<Instant> time(String name) {
        return text(name).map(text -> {
            try {
                Instant time = text.endsWith("Z")
                        ? Instant.parse(text)
                        : LocalDateTime.parse(text).toInstant(ZoneOffset.UTC);
                if (time.isBefore(Instant.EPOCH) || time.isAfter(LATEST)) {
                    throw new DateTimeException("Databases cannot compare with this time");
                }
                return time;
            } catch (DateTimeException e) {
                throw ConsoleException.badRequest(
                        "'" + name + "' must be a time in UTC, for example 2026-11-30T16:00.");
            }
        });
    }

    /** Returns whether a box is ticked. */
    public boolean isTicked(String name) {
        return text(name).isPresent();
    }
}
