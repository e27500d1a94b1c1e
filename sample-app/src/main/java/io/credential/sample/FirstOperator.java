package io.credential.sample;

import java.security.SecureRandom;
import java.util.HexFormat;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.ApplicationArguments;
import org.springframework.boot.ApplicationRunner;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionTemplate;

/** Creates the operator of the console at the first start, prints the password once and writes it to a file. */
@Component
class FirstOperator implements ApplicationRunner {

    private static final Logger LOG = LoggerFactory.getLogger(FirstOperator.class);
    private static final String NAME = "operator";
    private static final String FILE = "first-operator-password";
    private static final int PASSWORD_BYTES = 12;

    private final JdbcClient jdbc;
    private final TransactionTemplate transaction;
    private final PasswordEncoder passwords;
    private final SecretFiles files;
    private final SecureRandom random = new SecureRandom();

    FirstOperator(JdbcClient jdbc, TransactionTemplate transaction, PasswordEncoder passwords, SecretFiles files) {
        this.jdbc = jdbc;
        this.transaction = transaction;
        this.passwords = passwords;
        this.files = files;
    }

    /** Hashing takes long enough to be left out of later starts. */
    @Override
    public void run(ApplicationArguments args) {
        boolean exists =
                jdbc.sql("select count(*) from operators").query(Integer.class).single() > 0;
        if (!exists) {
            String password = newPassword();
            String hash = passwords.encode(password);
            if (Boolean.TRUE.equals(transaction.execute(status -> create(password, hash)))) {
                announce(password);
            }
        }
    }

    private String newPassword() {
        byte[] bytes = new byte[PASSWORD_BYTES];
        random.nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    /** Returns false if another node was faster. */
    private boolean create(String password, String hash) {
        int created = jdbc.sql(
                        "insert into operators (name, password_hash) values (:name, :hash) on conflict do nothing")
                .param("name", NAME)
                .param("hash", hash)
                .update();
        if (created == 1) {
            files.write(FILE, password); // before the commit: otherwise, if this fails, nobody could log in
        }
        return created == 1;
    }

    private void announce(String password) {
        System.out.println("Console: user " + NAME + ", password, shown only this once: " + password);
        LOG.info(
                "The password of the console was written to {}. After the login, {} fills the console with examples",
                files.path(FILE),
                DemonstrationController.PATH);
    }
}
