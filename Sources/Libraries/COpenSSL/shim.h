// The public headers of OpenSSL's libcrypto that signatures need. The module map links libcrypto.
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>
