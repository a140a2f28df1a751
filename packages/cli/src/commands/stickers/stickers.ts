import { customizedTextStatus, productTypes } from '@sealpost/contract';
import type { Command } from 'commander';
import { type AdminOptions, adminOf, withAdminOptions } from '../../admin.ts';
import { asUser, type ConnectionOptions, withConnectionOptions } from '../../connection.ts';
import { ownedEmoji } from '../../emoji.ts';
import { nameOf } from '../../enum-names.ts';
import { CliError, exitCodes } from '../../exit-codes.ts';
import { counted, createOutput, oneLine } from '../../output.ts';
import { ownedPacks } from '../../owned-packs.ts';
import { packZip } from '../../pack-zip.ts';
import { table } from '../../table.ts';

interface EveryoneOptions extends AdminOptions {
  readonly everyone?: boolean;
}

export function addStickersCommands(program: Command): void {
  const stickers = program
    .command('stickers')
    .description('list your stickers; as operator, add packs and give them to accounts');
  withConnectionOptions(stickers.command('mine', { isDefault: true }))
    .description('list the stickers that you own, as send --sticker takes them; also without `mine`')
    .action(mine);
  withConnectionOptions(stickers.command('emoji'))
    .description('list the emoji that you own, as send --emoji takes them')
    .action(listEmoji);
  withConnectionOptions(stickers.command('text'))
    .description('set the text that the stickers of a pack of yours show')
    .argument('<product>', 'a pack of stickers that take a text')
    .argument('<text>')
    .option('--preview', 'only tell whether the pack takes the text')
    .action(setText);
  withAdminOptions(stickers.command('import'))
    .description('add a pack to the catalogue, with the admin token')
    .argument('<pack>', 'a folder with pack.json and pictures, or a zip of one')
    .option('--everyone', 'also give it to all accounts')
    .action(importPack);
  withAdminOptions(stickers.command('list'))
    .description('list all packs of the catalogue, with the admin token')
    .action(list);
  withAdminOptions(stickers.command('show'))
    .description('show one pack with its pictures, with the admin token')
    .argument('<product>')
    .action(show);
  for (const [verb, name, done, description] of [
    ['grant', 'grantProduct', 'Gave', 'give a pack to an account or to everyone, with the admin token'],
    ['revoke', 'revokeProduct', 'Took', 'take a pack back, with the admin token; sent stickers stay visible'],
  ] as const) {
    withAdminOptions(stickers.command(verb))
      .description(description)
      .argument('<product>')
      .argument('[account]', 'user id or mid')
      .option('--everyone', 'all accounts, including later ones')
      .action((product: string, account: string | undefined, options: EveryoneOptions) =>
        change(name, done, product, account, options),
      );
  }
}

async function mine(options: ConnectionOptions): Promise<void> {
  await asUser(options, async ({ client }) => {
    const stickers = (await ownedPacks(client, 'stickershop')).flatMap(({ id, name, texts, productTypeSummary }) =>
      (productTypeSummary.stickerSummary?.stickerIdRanges ?? [])
        .flatMap(idsOf)
        .map((sticker, i) => ({ sticker: `${id}/${sticker}`, text: texts[i] ?? '', pack: name })),
    );
    const rows = stickers.map(({ sticker, text, pack }) => [sticker, oneLine(text), oneLine(pack)]);
    const text = rows.length === 0 ? 'No stickers.' : table(['STICKER', 'TEXT', 'PACK'], rows);
    createOutput(options).print(text, stickers);
  });
}

async function listEmoji(options: ConnectionOptions): Promise<void> {
  await asUser(options, async ({ client }) => {
    const owned = await ownedEmoji(client);
    const rows = owned.map(({ emoji, text, pack }) => [emoji, oneLine(text), oneLine(pack)]);
    const text = rows.length === 0 ? 'No emoji.' : table(['EMOJI', 'TEXT', 'PACK'], rows);
    createOutput(options).print(text, owned);
  });
}

interface TextOptions extends ConnectionOptions {
  readonly preview?: boolean;
}

async function setText(productId: string, text: string, options: TextOptions): Promise<void> {
  await asUser(options, async ({ client }) => {
    const request = { productType: productTypes.STICKER, productId, nameRequestEntry: { text } };
    const { nameTextProperty } = options.preview
      ? await client.ShopService.previewCustomizedImageText(request)
      : await client.ShopService.setCustomizedImageText(request);
    const verdict = nameOf(customizedTextStatus, nameTextProperty.status) ?? 'PRODUCT_UNSUPPORTED';
    if (verdict !== 'OK') throw new CliError(`${TEXT_REFUSED[verdict]} Nothing was saved.`);
    const told = options.preview ? 'The pack takes this text. Nothing was saved.' : 'Saved the text of the pack.';
    createOutput(options).print(told, nameTextProperty);
  });
}

const TEXT_REFUSED: Readonly<Record<Exclude<keyof typeof customizedTextStatus, 'OK'>, string>> = {
  PRODUCT_UNSUPPORTED: 'The stickers of this pack take no text.',
  TEXT_NOT_SPECIFIED: 'The text is empty.',
  TEXT_STYLE_UNAVAILABLE: 'The text has line breaks, control characters or emoji.',
  CHARACTER_COUNT_LIMIT_EXCEEDED: 'The text is too long for this pack.',
  CONTAINS_INVALID_WORD: 'The text has a word that the operator does not want.',
};

const idsOf = ({ start, size }: { start: string | number; size: number }): number[] =>
  Array.from({ length: size }, (_, i) => Number(start) + i);

async function importPack(path: string, options: EveryoneOptions): Promise<void> {
  const everyone = options.everyone ? { everyone: true } : {};
  const product = await (await adminOf(options)).importProduct({ content: await packZip(path), ...everyone });
  const { id, name, pictures } = product;
  const next = options.everyone ? '' : ` Give it to accounts with: sealpost stickers grant ${id} <account>`;
  createOutput(options).print(
    `Added ${oneLine(name)} with ${counted(pictures.length, 'picture')} as product ${id}.${next}`,
    product,
  );
}

async function list(options: AdminOptions): Promise<void> {
  const { products } = await (await adminOf(options)).listProducts();
  const rows = products.map(({ id, kind, name, author, everyone, pictures }) => [
    id,
    kind,
    String(pictures.length),
    everyone ? 'everyone' : 'by grant',
    oneLine(name),
    oneLine(author),
  ]);
  createOutput(options).print(table(['PRODUCT', 'KIND', 'PICTURES', 'FOR', 'NAME', 'AUTHOR'], rows), products);
}

async function show(id: string, options: AdminOptions): Promise<void> {
  const product = await (await adminOf(options)).showProduct({ product: id });
  const rows = product.pictures.map((picture) => [picture.id, oneLine(picture.text)]);
  const { kind, name, author } = product;
  createOutput(options).print(
    `${oneLine(name)} (${kind}) by ${oneLine(author)}\n\n${table(['ID', 'TEXT'], rows)}`,
    product,
  );
}

async function change(
  name: 'grantProduct' | 'revokeProduct',
  done: string,
  id: string,
  account: string | undefined,
  options: EveryoneOptions,
): Promise<void> {
  if ((account === undefined) === !options.everyone) {
    throw new CliError('Name either one account or --everyone.', exitCodes.usage);
  }
  const whose = account === undefined ? { everyone: true } : { account };
  const product = await (await adminOf(options))[name]({ product: id, ...whose });
  const direction = name === 'grantProduct' ? 'to' : 'from';
  createOutput(options).print(`${done} ${oneLine(product.name)} ${direction} ${account ?? 'everyone'}.`, product);
}
