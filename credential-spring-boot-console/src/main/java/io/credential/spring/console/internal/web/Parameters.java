package io.credential.spring.console.internal.web;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

import org.springframework.util.MultiValueMap;

import io.credential.ratelimit.RateLimit;
import io.credential.storage.internal.JsonText;

/** The parameters of a request, from its query and its form. A value that is empty counts as missing. */
public final class Parameters {

    private static final int MAX_LENGTH = 4096;
    private static final int MAX_LIST_LENGTH = 300_000;
    private static final Pattern NUMBER = Pattern.compile("\\d{1,18}");
    private static final Instant MAX_TIME = Instant.parse("9999-12-31T23:59:59.999Z");

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
        return all(name, MAX_LENGTH);
    }

    private List<String> all(String name, int maxLength) {
        List<String> given = values.getOrDefault(name, List.of());
        if (given.stream().anyMatch(text -> text.length() > maxLength)) {
            throw ConsoleException.badRequest("'" + name + "' is longer than " + maxLength + " characters.");
        }
        return given;
    }

    /**
     * Returns a text unchanged, for secrets; empty if it is missing.
     *
     * @throws ConsoleException if it is longer than 4096 characters
     */
    public Optional<String> exact(String name) {
        return all(name).stream().filter(text -> !text.isEmpty()).findFirst();
    }

    /**
     * Returns the lines of a text without white space around them, and without empty ones.
     *
     * @throws ConsoleException if the text is longer than 300,000 characters
     */
    public List<String> lines(String name) {
        return all(name, MAX_LIST_LENGTH).stream()
                .flatMap(String::lines)
                .map(String::strip)
                .filter(line -> !line.isEmpty())
                .toList();
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
                if (time.isBefore(Instant.EPOCH) || time.isAfter(MAX_TIME)) {
                    throw new DateTimeException("Databases cannot compare with this time");
                }
                return time;
            } catch (DateTimeException e) {
                throw ConsoleException.badRequest(
                        "'" + name + "' must be a time in UTC, for example 2026-11-30T16:00.");
            }
        });
    }

    /**
     * Returns a JSON object; empty if it is missing.
     *
     * @throws ConsoleException if it is something else
     */
    public Optional<Map<String, Object>> object(String name) {
        return text(name).map(text -> {
            try {
                return JsonText.readObject(text);
            } catch (IllegalArgumentException e) {
                throw ConsoleException.badRequest(
                        "'" + name + "' must be a JSON object, for example {\"plan\": \"gold\"}.");
            }
        });
    }

    /**
     * Returns the rate limit in the fields {@code limit} and {@code window}, in seconds; empty if both are.
     *
     * @throws ConsoleException if only one has a value, or one is out of range
     */
    public Optional<RateLimit> rateLimit() {
        Optional<Long> limit = number("limit");
        Optional<Long> window = number("window");
        if (limit.isEmpty() && window.isEmpty()) {
            return Optional.empty();
        }
        long longest = RateLimit.MAX_WINDOW.toSeconds();
        if (!isBetween(limit, RateLimit.MAX_LIMIT) || !isBetween(window, longest)) {
            throw ConsoleException.badRequest("A rate limit needs 1 to " + Formats.count(RateLimit.MAX_LIMIT)
                    + " requests and a window of 1 to " + Formats.count(longest)
                    + " seconds. Leave both empty to set none.");
        }
        return Optional.of(
                new RateLimit(Math.toIntExact(limit.orElseThrow()), Duration.ofSeconds(window.orElseThrow())));
    }

    private static boolean isBetween(Optional<Long> number, long most) {
        return number.filter(given -> given >= 1 && given <= most).isPresent();
    }

    /**
     * Requires that an operator has typed something to confirm an action that cannot be undone.
     *
     * @throws ConsoleException if the text is missing or another one
     */
    public void requireTyped(String expected) {
        if (text("confirm").filter(expected::equals).isEmpty()) {
            throw ConsoleException.badRequest("Nothing was changed. Type exactly " + expected + " to confirm.");
        }
    }

    /** Returns whether a checkbox is selected. */
    public boolean isSelected(String name) {
        return text(name).isPresent();
    }
}
