/**
 * The most common passwords of at least eight characters, in lower case. Shorter passwords are refused because of their
 * length.
 */
export const commonPasswords: ReadonlySet<string> = new Set(
  `12345678 123456789 1234567890 password password1 password12 password123 password1234 passw0rd p@ssw0rd p@ssword
   qwertyuiop qwerty123 qwerty1234 qwertyui 1q2w3e4r 1q2w3e4r5t 1qaz2wsx qazwsxedc zaq12wsx asdfghjkl asdfasdf zxcvbnm1
   11111111 00000000 88888888 66666666 12341234 11223344 87654321 987654321 0987654321 123123123 147258369 123454321
   iloveyou iloveyou1 sunshine princess football baseball superman trustno1 letmein1 welcome1 welcome123 changeme
   michelle jennifer computer internet whatever starwars abc12345 abcd1234 abcdefgh a1b2c3d4 aa123456 aaaaaaaa
   admin123 admin1234 administrator dragon123 master123 monkey123 shadow123 charlie1 qwer1234 test1234 testtest
   samsung1 liverpool arsenal1 chelsea1 pokemon1 corvette mercedes einstein secret123 default1 google123 default123`
    .split(/\s+/)
    .filter(Boolean),
);
