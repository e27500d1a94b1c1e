package io.credential.copy;

import java.io.PrintStream;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.transaction.TransactionException;

import io.credential.keyring.KeyringException;
import io.credential.seal.internal.Keyring;
import io.credential.webhook.delivery.WebhookDispatcherException;

/**
 * The command that copies the rows of a SQLite file into PostgreSQL while the application is stopped. Everything is
 * copied in one transaction, after the keyring and all rows were verified. Run it with {@code --help} for its options.
 *
 * @since 0.1.0
 */
public final class CopyToPostgres {

    private static final Duration LOCK_TIMEOUT = Duration.ofSeconds(10);

    private static final String LOGGING = "logback.configurationFile";

    private static final String HELP = """
            Copies API keys, webhook endpoints, events, deliveries, bulk retries, nonces, the inbox and the audit log
            from a SQLite file into PostgreSQL. The application must be stopped. Either everything is copied, or nothing.

            Options:
              --from <file>               the SQLite file, such as ./data/credential.db
              --to <url>                  the database, such as jdbc:postgresql://host/database, without a password
              --user <name>               its user, who may create tables; default: the user in the URL
              --keyring <location>        the keyring of the file; default: CREDENTIAL_KEYRING_LOCATION,
                                          or file:./data/credential-keyring.json
              --endpoints-table <name>    credential.webhook.dispatcher.endpoints-table, if it is set;
              --deliveries-table <name>   deliveries-table likewise; repeat both for each further dispatcher
              --help                      prints this text

            Environment variables:
              PGPASSWORD                         the password of the user
              CREDENTIAL_KEYRING_LOCATION        the keyring, also as base64:...
              CREDENTIAL_KEYRING_ALLOWGROUPREAD  true accepts a keyring file that its group can read

            Exit code: 0 if everything was copied, otherwise 1.
            """;

    private final PrintStream out;
    private final PrintStream err;
    private final Map<String, String> environment;
    private final SecureRandom random;
    private final LongSupplier nanoTime;
    private final Duration lockTimeout;

    /** @param lockTimeout how long to wait for those who write to the tables of the target */
    CopyToPostgres(
            PrintStream out,
            PrintStream err,
            Map<String, String> environment,
            SecureRandom random,
            LongSupplier nanoTime,
            Duration lockTimeout) {
        this.out = out;
        this.err = err;
        this.environment = environment;
        this.random = random;
        this.nanoTime = nanoTime;
        this.lockTimeout = lockTimeout;
    }

    /** Runs the command, and ends the process with the exit code 0 or 1. */
    public static void main(String[] arguments) {
        // Without Spring Boot's logging, Logback prints what libraries do at the level DEBUG.
        if (System.getProperty(LOGGING) == null) {
            System.setProperty(LOGGING, "io/credential/logback-commands.xml");
        }
        System.exit(new CopyToPostgres(
                        System.out, System.err, System.getenv(), new SecureRandom(), System::nanoTime, LOCK_TIMEOUT)
                .run(List.of(arguments)));
    }

    /** Returns the exit code. */
    int run(List<String> arguments) {
        if (arguments.contains("--help")) {
            out.print(HELP);
            return 0;
        }
        try {
            copy(CopyOptions.parse(arguments, environment));
            return 0;
        } catch (CopyException | KeyringException | WebhookDispatcherException e) {
            return failed(e.getMessage());
        } catch (TransactionException e) {
            return failed("The connection to PostgreSQL broke: " + CopyException.reason(e)
                    + ". Run the command again; if it then reports rows in the target, the rows may have been copied.");
        } catch (DataAccessException e) {
            return failed("Database access failed: " + CopyException.reason(e)
                    + ". Correct the cause and run the command again.");
        }
    }

    private int failed(@Nullable String message) {
        err.println(message);
        return 1;
    }

    private void copy(CopyOptions options) {
        try (SourceFile source = SourceFile.open(options.from())) {
            CopiedTables copied = source.currentTables(options.dispatchers(), options.mustHaveDispatchers());
            Keyring keyring = options.keyring().read();
            String verified = source.requireAuthentic(keyring, options.keyring().name(), copied, random);
            out.println("Verified " + verified);

            TargetDatabase target = TargetDatabase.connect(options, lockTimeout);
            target.migrate(copied);
            List<String> tables = copied.names();
            TableCopy copy = new TableCopy(source.database(), target.database(), new CopyProgress(out, nanoTime));
            long rows = target.fill(
                    tables, () -> tables.stream().mapToLong(copy::copy).sum());
            out.println("Copied " + rows + " rows of " + tables.size() + " tables to " + options.target());
        }
    }
}
