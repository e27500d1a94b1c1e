package io.credential.copy;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import io.credential.webhook.delivery.internal.queue.DispatcherTables;

/**
 * What the operator asks for.
 *
 * @param from the SQLite file
 * @param to the JDBC URL of the PostgreSQL database
 * @param user the user of that database; null if the URL names it, or for the default of the driver
 * @param password null if the environment has none
 * @param dispatchers the tables of the dispatchers
 * @param mustHaveDispatchers whether the operator named them
 */
record CopyOptions(
        String from,
        String to,
        @Nullable String user,
        @Nullable String password,
        KeyringLocation keyring,
        List<DispatcherTables> dispatchers,
        boolean mustHaveDispatchers) {

    static final String PASSWORD = "PGPASSWORD";
    static final String KEYRING = "CREDENTIAL_KEYRING_LOCATION";
    static final String GROUP_READ = "CREDENTIAL_KEYRING_ALLOWGROUPREAD";

    private static final String POSTGRESQL = "jdbc:postgresql:";
    private static final Pattern PASSWORD_IN_URL = Pattern.compile("(?i)[?&][^=&]*password=|//[^/?]*@");

    /**
     * @throws CopyException if an argument is unknown, incomplete, missing, or a secret
     */
    static CopyOptions parse(List<String> arguments, Map<String, String> environment) {
        String from = null;
        String to = null;
        String user = null;
        String keyring = environment.getOrDefault(KEYRING, KeyringLocation.DEFAULT);
        List<String> endpoints = new ArrayList<>();
        List<String> deliveries = new ArrayList<>();
        for (Iterator<String> rest = arguments.iterator(); rest.hasNext(); ) {
            String option = rest.next();
            switch (option) {
                case "--from" -> from = value(option, rest);
                case "--to" -> to = requireNoPassword(value(option, rest));
                case "--user" -> user = value(option, rest);
                case "--keyring" -> keyring = requireNoKeys(value(option, rest));
                case "--endpoints-table" -> endpoints.add(value(option, rest));
                case "--deliveries-table" -> deliveries.add(value(option, rest));
                default -> throw wrong("An argument is not a known option" + named(option));
            }
        }
        if (from == null || to == null) {
            throw wrong("--from and --to are required");
        }
        return new CopyOptions(
                from,
                to,
                user,
                environment.get(PASSWORD),
                new KeyringLocation(keyring, Boolean.parseBoolean(environment.get(GROUP_READ))),
                dispatchers(endpoints, deliveries),
                !deliveries.isEmpty());
    }

    /** Returns the URL of the target without its parameters. */
    String target() {
        int parameters = to.indexOf('?');
        return parameters < 0 ? to : to.substring(0, parameters);
    }

    /** Leaves out the password, and the parameters of the URL. */
    @Override
    public String toString() {
        return "CopyOptions[" + from + ", " + target() + "]";
    }

    private static List<DispatcherTables> dispatchers(List<String> endpoints, List<String> deliveries) {
        if (endpoints.size() != deliveries.size()) {
            throw wrong("Each --endpoints-table needs a --deliveries-table, and vice versa");
        }
        if (endpoints.isEmpty()) {
            return List.of(
                    DispatcherTables.named(DispatcherTables.DEFAULT_ENDPOINTS, DispatcherTables.DEFAULT_DELIVERIES));
        }
        List<DispatcherTables> dispatchers = new ArrayList<>();
        for (int index = 0; index < endpoints.size(); index++) {
            dispatchers.add(DispatcherTables.named(endpoints.get(index), deliveries.get(index)));
        }
        return List.copyOf(dispatchers);
    }

    private static String value(String option, Iterator<String> rest) {
        String value = rest.hasNext() ? rest.next() : "";
        if (value.isEmpty() || value.startsWith("--")) {
            throw wrong(option + " needs a value");
        }
        return value;
    }

    /** Does not quote what may be a secret in the wrong place. */
    private static String named(String option) {
        return option.matches("--[a-z-]{1,30}") ? ": " + option : "";
    }

    private static String requireNoPassword(String url) {
        if (!url.startsWith(POSTGRESQL)) {
            throw wrong("--to must be a JDBC URL that begins with " + POSTGRESQL);
        }
        if (PASSWORD_IN_URL.matcher(url).find()) {
            throw wrong("--to must not contain a password, because other users of this machine can see arguments;"
                    + " set the environment variable " + PASSWORD);
        }
        return url;
    }

    private static String requireNoKeys(String location) {
        if (location.startsWith(KeyringLocation.INLINE)) {
            throw wrong("--keyring must not contain the keyring itself, because other users of this machine can see"
                    + " arguments; set the environment variable " + KEYRING);
        }
        return location;
    }

    private static CopyException wrong(String problem) {
        return new CopyException(problem + ". Run the command with --help to see its options.");
    }
}
